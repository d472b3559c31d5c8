// Replaces Claude Code's compaction by tamis's. Whatever goes wrong, Claude Code's own runs, and it is said why.
//
// `session.compact` hands over the conversation as rows and takes rows back; one that comes back with its handle
// is Claude Code's own message, whole. The hooks in hooks.json serve a Claude Code without this event, and
// the compactions that its own summary makes.

const COMMAND = ["tamis"]
const ARCHIVE = null
const PATIENCE_MS = 300_000

export const register = on => {
  let rest = 0 // at so many tokens or fewer, a compaction that we set off would come too soon after the last

  on('session.compact', async ($, e, next) => {
    if (e.trigger === 'precompute') {
      return { skip: 'tamis compacts in seconds when it is time; nothing is worked out ahead' }
    }
    let trouble = ''
    try {
      const usage = await $.session.usage()
      const ran = await $.process.run(
        [...COMMAND, 'hook', 'claude-code', ...(ARCHIVE === null ? [] : ['--archive', ARCHIVE])],
        {
          timeoutMs: PATIENCE_MS,
          stdin: JSON.stringify({
            hook_event_name: 'session.compact',
            session_id: await $.session.id(),
            agent_id: e.agentId,
            trigger: e.trigger,
            instructions: e.instructions,
            window: usage.context?.window,
            messages: e.messages,
          }),
        },
      )
      if (ran.stdout !== '' && !ran.isStdoutTruncated) {
        const { messages, tokensBefore, tokensAfter } = JSON.parse(ran.stdout)
        $.ui.log(`tamis compacted ${tokensBefore} tokens to ${tokensAfter}, with no model call`)
        return { messages, tokensBefore, tokensAfter }
      }
      trouble = ran.stderr.trim() || `${COMMAND[0]} exited with ${ran.exitCode} and said nothing`
    } catch (error) {
      trouble = String(error?.message ?? error)
    }
    const said = `tamis did not compact, Claude Code does: ${trouble.slice(0, 500)}`
    $.ui.log(said)
    $.ui.toast(said)
    return next(e)
  })

  // TAMIS_CONDENSE_OVER=4000 condenses a tool's output of more tokens as it comes in; all of it is in the archive.
  on('classic.PostToolUse', async ($, e, next) => {
    const done = await next(e)
    const most = Number(await $.env.get('TAMIS_CONDENSE_OVER'))
    if (!(most > 0) || JSON.stringify(e.tool_response ?? '').length <= most) return done
    try {
      const ran = await $.process.run(
        [...COMMAND, 'hook', 'claude-code', ...(ARCHIVE === null ? [] : ['--archive', ARCHIVE])],
        {
          timeoutMs: PATIENCE_MS,
          stdin: JSON.stringify({
            ...e,
            hook_event_name: 'PostToolUse',
            session_id: await $.session.id(),
            transcript_path: '',
            most_tokens: most,
          }),
        },
      )
      if (ran.stdout === '' || ran.isStdoutTruncated) return done
      const { updatedToolOutput } = JSON.parse(ran.stdout).hookSpecificOutput
      return { ...done, updatedToolOutput }
    } catch (error) {
      $.ui.log(`tamis did not condense the output: ${error?.message ?? error}`)
      return done
    }
  })

  // TAMIS_COMPACT_AT=0.5 compacts when half of the window is full, ahead of Claude Code's own threshold. Once:
  // one that did not help is not tried again until a twentieth of the window has come in.
  on('turn.complete', async ($, e, next) => {
    const done = await next(e)
    const share = Number(await $.env.get('TAMIS_COMPACT_AT'))
    if (share > 0 && share < 1 && e.agentId === undefined) {
      const { context } = await $.session.usage()
      if (context?.window > 0 && context.tokens <= share * context.window) {
        rest = 0
      } else if (context?.window > 0 && context.tokens > rest) {
        rest = context.tokens + context.window / 20
        void $.session.compact().catch(error =>
          $.ui.log(`tamis could not set off a compaction: ${error?.message ?? error}`),
        )
      }
    }
    return done
  })
}
