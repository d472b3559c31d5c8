// Writes OpenCode's compaction summary: its own text is replaced by tamis's brief, and the model that would have
// written it is asked for one word. Whatever goes wrong, OpenCode's own prompt goes out, and the log says why.
//
// OpenCode hands over a prompt to change (`experimental.session.compacting`), then the messages that go
// (`experimental.chat.messages.transform`), and last the text that came (`experimental.text.complete`).

import { spawn } from "node:child_process"

const COMMAND = ["tamis"]
const ARCHIVE = null
const PATIENCE_MS = 300_000

function run(input) {
  return new Promise((resolve, reject) => {
    const kept = ARCHIVE === null ? [] : ["--archive", ARCHIVE]
    const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "opencode", ...kept], { timeout: PATIENCE_MS })
    let said = ""
    let trouble = ""
    child.stdout.setEncoding("utf8").on("data", text => { said += text })
    child.stderr.setEncoding("utf8").on("data", text => { trouble += text })
    child.on("error", reject)
    child.on("close", () => (said ? resolve(JSON.parse(said)) : reject(new Error(trouble.trim() || "it said nothing"))))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(input))
  })
}

// A message of OpenCode as rows: its tool parts hold the call and the result.
function rowsOf({ info, parts }) {
  const text = parts.filter(part => part.type === "text" && !part.ignored).map(part => part.text).join("\n")
  const calls = parts.filter(part => part.type === "tool")
  const row = {
    role: info.role,
    text,
    handle: info.id,
    toolUses: calls.map(part => ({ tool_use_id: part.callID, tool: part.tool, input: part.state.input ?? {} })),
  }
  if (calls.length === 0) return [row]
  const toolResults = calls.map(part => ({
    tool_use_id: part.callID,
    text: part.state.output ?? part.state.error ?? "",
    isError: part.state.status === "error",
  }))
  return [row, { role: "user", text: "", toolUses: [], toolResults, handle: `${info.id}-results` }]
}

export const Tamis = async ({ client }) => {
  const begun = new Map() // sessions whose compaction has begun, with the prompt that may be changed
  const briefs = new Map() // sessions whose next text is to be the brief

  const say = (level, message) => client.app.log({ body: { service: "tamis", level, message } }).catch(() => {})

  // The text of the last summary, which the next one goes on from.
  async function previousSummary(id) {
    const { data } = await client.session.messages({ path: { id } })
    const last = (data ?? []).findLast(
      ({ info, parts }) => info.summary === true && info.role === "assistant" && parts.some(part => part.type === "text"),
    )
    return last === undefined ? "" : last.parts.filter(part => part.type === "text").map(part => part.text).join("\n")
  }

  return {
    "experimental.session.compacting": async ({ sessionID }, output) => {
      begun.set(sessionID, output)
    },

    "experimental.chat.messages.transform": async (_, { messages }) => {
      const id = messages[0]?.info.sessionID
      const output = begun.get(id)
      if (output === undefined) return
      begun.delete(id)
      try {
        const previous = await previousSummary(id)
        const made = await run({
          hook_event_name: "session.compact",
          session_id: id,
          since: true,
          previous,
          messages: messages.flatMap(rowsOf),
        })
        briefs.set(id, made.summary)
        output.prompt = "Reply with the one word: done."
        messages.splice(0, messages.length)
        await say("info", `compacted ${made.tokensBefore} tokens to ${made.tokensAfter}`)
      } catch (error) {
        await say("warn", `tamis did not compact, OpenCode does: ${error?.message ?? error}`)
      }
    },

    "experimental.text.complete": async ({ sessionID }, output) => {
      const brief = briefs.get(sessionID)
      if (brief === undefined) return
      briefs.delete(sessionID)
      output.text = brief
    },
  }
}
