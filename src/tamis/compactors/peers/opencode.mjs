// Prunes a conversation as opencode would with the plugin installed: through the plugin's own hooks.
// In: {folder, chat, failed}: OpenAI chat messages, ids of the calls that failed. Out: {chat}.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { folder, chat, failed } = JSON.parse(readFileSync(0, "utf8"));
const sessionID = "session";
const model = { providerID: "none", modelID: "none" };

// The plugin keeps settings and state in the home folder: it gets one of its own, and asks no registry for updates.
const home = mkdtempSync(join(tmpdir(), "tamis-dcp-"));
for (const name of ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "OPENCODE_CONFIG_DIR"]) process.env[name] = home;
delete process.env.OPENCODE_SERVER_PASSWORD;
mkdirSync(join(home, "opencode"), { recursive: true });
writeFileSync(join(home, "opencode", "dcp.jsonc"), JSON.stringify({ autoUpdate: false, pruneNotification: "off" }));

const text = (content) =>
  typeof content === "string" ? content : (content ?? []).map((block) => block.text ?? "").join("\n");

// opencode holds a call and its result as one part. Its tools have small letters.
function asOpencode() {
  const results = new Map(chat.filter((m) => m.role === "tool").map((m) => [m.tool_call_id, text(m.content)]));
  return chat.flatMap((item, at) => {
    if (item.role === "tool") return [];
    const id = `message-${at}`;
    const role = item.role === "assistant" ? "assistant" : "user";
    const parts = role === "assistant" ? [{ type: "step-start" }] : [];
    parts.push({ type: "text", text: text(item.content) });
    for (const call of item.tool_calls ?? []) {
      const output = results.get(call.id);
      if (output === undefined) continue;
      const state = failed.includes(call.id) ? { status: "error", error: output } : { status: "completed", output };
      const said = { input: input(call), title: "", metadata: {}, time: { start: at, end: at } };
      const tool = call.function.name.toLowerCase();
      parts.push({ type: "tool", callID: call.id, tool, state: { ...state, ...said } });
    }
    for (const [n, part] of parts.entries()) Object.assign(part, { id: `${id}-${n}`, messageID: id, sessionID });
    return [{ info: { id, sessionID, role, time: { created: at }, agent: "build", model, ...model }, parts }];
  });
}

function input(call) {
  try {
    const read = JSON.parse(call.function.arguments);
    return read && typeof read === "object" ? read : { input: call.function.arguments };
  } catch {
    return { input: call.function.arguments };
  }
}

try {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const plugin = (await import(pathToFileURL(join(folder, about.main)))).default;
  const client = { session: { get: async () => ({ data: {} }), messages: async () => ({ data: asOpencode() }) } };
  const hooks = await plugin({ client, directory: home });
  const transform = hooks["experimental.chat.messages.transform"];
  await transform({}, { messages: asOpencode() }); // it learns of the calls
  // What needs no model is pruned when the model calls the plugin's tool; here it names a range that is not there.
  const range = { startId: "none", endId: "none", summary: "none" };
  const asked = { sessionID, messageID: "none", agent: "build", ask: async () => {}, metadata: () => {} };
  await hooks.tool.compress.execute({ topic: "cleanup", content: [range] }, asked).catch(() => {});
  await hooks.config({ permission: { compress: "deny" } }); // no reminders of that tool in the messages
  const messages = asOpencode();
  await transform({}, { messages });

  const before = new Map(asOpencode().flatMap((m) => m.parts).map((part) => [part.callID, part.state]));
  const changed = (part, key) => JSON.stringify(part.state[key]) !== JSON.stringify(before.get(part.callID)[key]);
  const tools = messages.flatMap((m) => m.parts).filter((part) => part.type === "tool");
  const outputs = new Map(tools.filter((p) => changed(p, "output")).map((p) => [p.callID, p.state.output]));
  const inputs = new Map(tools.filter((p) => changed(p, "input")).map((p) => [p.callID, p.state.input]));
  for (const item of chat) {
    if (outputs.has(item.tool_call_id)) item.content = outputs.get(item.tool_call_id);
    for (const call of item.tool_calls ?? [])
      if (inputs.has(call.id)) call.function.arguments = JSON.stringify(inputs.get(call.id));
  }
  writeFileSync(1, JSON.stringify({ chat }));
} finally {
  rmSync(home, { recursive: true, force: true });
}
