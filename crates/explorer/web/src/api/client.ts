// Asking the server: the token, errors with their words, streams of lines.
import type { CheckEvent } from "./types";

const KEY = "tertium-token";

export class Refusal extends Error {
  constructor(readonly kind: string, message: string, readonly help: string | null = null) {
    super(message);
  }
}

/** Remembers a token; it is kept for this tab only, so that a reload works and a new tab needs the address. */
export function keepToken(given: string) {
  sessionStorage.setItem(KEY, given);
}

export function token(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

function headers(hasBody: boolean): Record<string, string> {
  const authorised = { Authorization: `Bearer ${token()}` };
  return hasBody ? { ...authorised, "Content-Type": "application/json" } : authorised;
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: headers(body !== undefined),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Refusal("gone", "The program that serves this page does not answer.", "Start `tertium explore` again and open the address that it prints.");
  }
  if (response.ok) return response;
  throw await refusal(response);
}

async function refusal(response: Response): Promise<Refusal> {
  try {
    const { error } = await response.json();
    return new Refusal(error.kind, error.message, error.help);
  } catch {
    return new Refusal("request", `The server answered ${response.status}.`);
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export async function get<T>(path: string): Promise<T> {
  return (await send("GET", path)).json();
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await send("POST", path, body, signal)).json();
}

export async function remove(path: string): Promise<void> {
  await send("DELETE", path);
}

export interface Download {
  name: string;
  text: string;
}

export async function download(path: string, body: unknown): Promise<Download> {
  const response = await send("POST", path, body);
  const told = response.headers.get("Content-Disposition") ?? "";
  return { name: /filename="([^"]+)"/.exec(told)?.[1] ?? "explanation", text: await response.text() };
}

/** Hands every line of the answer on as it comes. */
export async function stream(path: string, body: unknown, signal: AbortSignal, each: (event: CheckEvent) => void): Promise<void> {
  const response = await send("POST", path, body, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    lines.filter((line) => line !== "").forEach((line) => each(JSON.parse(line)));
  }
}
