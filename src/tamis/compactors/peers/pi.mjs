// Asks pi's compaction where it would cut a conversation, and what it would say of the rest.
// In: {folder, chat}: OpenAI chat messages. Out: {starts}: the first message kept, for every amount to keep.
// In: {folder, chat, keep, reserve, answers}. Out: {prompts}: what it asks its model and `answers` lacks, and
// {chat}: the summary that the answers make, then what is kept.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { folder, chat, keep, reserve, answers } = JSON.parse(readFileSync(0, "utf8"));
const load = (path) => import(pathToFileURL(join(folder, "dist", "core", path)));
const pi = await load("compaction/index.js");

const text = (content) =>
  typeof content === "string" ? content : (content ?? []).map((block) => block.text ?? "").join("\n");

function input(call) {
  try {
    return JSON.parse(call.function.arguments);
  } catch {
    return { input: call.function.arguments };
  }
}

function message(item, timestamp) {
  const said = text(item.content) ? [{ type: "text", text: text(item.content) }] : [];
  if (item.role === "tool")
    return { role: "toolResult", toolCallId: item.tool_call_id, toolName: "", content: said, timestamp };
  if (item.role !== "assistant") return { role: "user", content: said, timestamp };
  const calls = (item.tool_calls ?? []).map((call) => ({
    type: "toolCall", id: call.id, name: call.function.name.toLowerCase(), arguments: input(call),
  }));
  return { role: "assistant", content: [...said, ...calls], stopReason: "stop", timestamp };
}

const timestamp = new Date(0).toISOString();
const entries = chat.map((item, at) => ({
  type: "message", id: `${at}`, parentId: at ? `${at - 1}` : null, timestamp, message: message(item, at),
}));
const prepare = (keepRecentTokens) =>
  pi.prepareCompaction(entries, { enabled: true, reserveTokens: reserve, keepRecentTokens });

function starts() {
  const found = new Set();
  let tokens = 0;
  for (const entry of entries.toReversed()) {
    tokens += pi.estimateTokens(entry.message);
    found.add(pi.findCutPoint(entries, 0, entries.length, tokens).firstKeptEntryIndex);
  }
  return [...found].sort((a, b) => a - b);
}

// pi asks over HTTP, as it asks any server that speaks OpenAI's chat: one on this machine, for as long as it takes.
async function summarise(preparation) {
  const prompts = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const asked = JSON.parse(body);
    const prompt = text(asked.messages.at(-1).content);
    const instructions = asked.messages.slice(0, -1).map((m) => text(m.content)).join("\n");
    if (answers[prompt] === undefined)
      prompts.push({ text: prompt, instructions, most: asked.max_completion_tokens ?? asked.max_tokens ?? null });
    const content = answers[prompt] ?? "unanswered";
    const choice = { index: 0, delta: { role: "assistant", content }, finish_reason: "stop" };
    const piece = { id: "1", object: "chat.completion.chunk", created: 0, model: "tamis", choices: [choice] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const model = {
      id: "tamis", name: "tamis", api: "openai-completions", provider: "tamis", input: ["text"], cost,
      baseUrl: `http://127.0.0.1:${server.address().port}/v1`, reasoning: false,
      contextWindow: Number.MAX_SAFE_INTEGER, maxTokens: reserve,
    };
    return { prompts, made: await pi.compact(preparation, model, "none") };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function compacted() {
  const preparation = prepare(keep);
  if (!preparation || preparation.firstKeptEntryId === "0") return { prompts: [], chat };
  const { prompts, made } = await summarise(preparation);
  const { convertToLlm, createCompactionSummaryMessage } = await load("messages.js");
  const [told] = convertToLlm([createCompactionSummaryMessage(made.summary, made.tokensBefore, timestamp)]);
  const kept = chat.slice(Number(made.firstKeptEntryId));
  return { prompts, chat: [{ role: "user", content: text(told.content) }, ...kept] };
}

writeFileSync(1, JSON.stringify(answers ? await compacted() : { starts: starts() }));
