// Gives pi the summary of a compaction. Whatever goes wrong, pi writes its own, and it is said why.

import { spawn } from "node:child_process"

const COMMAND = ["tamis"]
const ARCHIVE = null
const PATIENCE_MS = 300_000

function run(input, signal) {
  return new Promise((resolve, reject) => {
    const kept = ARCHIVE === null ? [] : ["--archive", ARCHIVE]
    const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "pi", ...kept], { timeout: PATIENCE_MS, signal })
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

const textOf = content =>
  typeof content === "string" ? content : (content ?? []).filter(part => part.type === "text").map(part => part.text).join("\n")

// A message of pi as a row; what is none (a summary of a branch, a note of an extension) is what it says.
function rowOf(message) {
  if (message.role === "toolResult") {
    const result = { tool_use_id: message.toolCallId, text: textOf(message.content), isError: message.isError === true }
    return { role: "user", text: "", toolUses: [], toolResults: [result] }
  }
  const calls = Array.isArray(message.content) ? message.content.filter(part => part.type === "toolCall") : []
  const text =
    message.role === "bashExecution"
      ? `$ ${message.command}\n${message.output ?? ""}`
      : textOf(message.content) || message.summary || ""
  return {
    role: message.role === "assistant" ? "assistant" : "user",
    text,
    toolUses: calls.map(call => ({ tool_use_id: call.id, tool: call.name, input: call.arguments })),
  }
}

export default function (pi) {
  pi.on("session_before_compact", async (event, ctx) => {
    const { preparation, customInstructions, signal } = event
    try {
      const made = await run(
        {
          hook_event_name: "session.compact",
          session_id: ctx.sessionManager.getSessionId(),
          since: true,
          previous: preparation.previousSummary ?? "",
          instructions: customInstructions,
          messages: [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages].map(rowOf),
        },
        signal,
      )
      ctx.ui.notify(`tamis compacted ${made.tokensBefore} tokens to ${made.tokensAfter}`, "info")
      return {
        compaction: {
          summary: made.summary,
          firstKeptEntryId: preparation.firstKeptEntryId,
          tokensBefore: preparation.tokensBefore,
        },
      }
    } catch (error) {
      if (!signal.aborted) ctx.ui.notify(`tamis did not compact, pi does: ${error?.message ?? error}`, "warning")
    }
  })
}
