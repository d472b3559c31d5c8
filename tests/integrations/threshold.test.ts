// Run by `claude plugin test`, beside the plugin: each hook here stands for Claude Code.
import { expect, test } from 'claude-code/testing'

const DONE = { answer: 'Done.', durationMs: 1, isAborted: false, turnId: 't1', reason: 'answer' } as const

function scripted(on, tokens: number, share: string | undefined) {
  const asked: unknown[] = []
  on('env.get', () => ({ value: share }))
  on('session.usage', () => ({
    value: { startedAt: 0, context: { tokens, window: 1000, percent: 0 }, rateLimits: [], cost: { usd: 0 } },
  }))
  on('turn.complete', (_, e) => ({ text: e.answer }))
  on('session.id', () => ({ value: 's-1' }))
  on('ui.log', () => ({ value: undefined }))
  on('process.run', (_, e) => {
    asked.push(e)
    const made = { messages: [{ role: 'user', text: 'A brief.', toolUses: [] }], tokensBefore: 2, tokensAfter: 1 }
    const ended = { exitCode: 0, stderr: '', isStdoutTruncated: false, isStderrTruncated: false }
    return { value: { stdout: JSON.stringify(made), ...ended } }
  })
  return asked
}

test('above the share it compacts, and not again while it is no fuller', async ($, on) => {
  const asked = scripted(on, 600, '0.5')
  await $.turn.complete(DONE)
  await $.turn.complete(DONE)
  await $.turn.complete(DONE)
  expect(asked.length).toBe(1)
})

test('below the share it does not', async ($, on) => {
  const asked = scripted(on, 400, '0.5')
  await $.turn.complete(DONE)
  await $.turn.complete(DONE)
  expect(asked.length).toBe(0)
})

test('unasked it does not', async ($, on) => {
  const asked = scripted(on, 900, undefined)
  await $.turn.complete(DONE)
  await $.turn.complete(DONE)
  expect(asked.length).toBe(0)
})
