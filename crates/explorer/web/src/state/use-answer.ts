// An answer of the server as a value of a component: asked again when the question changes, and given up with it.
import { useEffect, useState } from "preact/hooks";
import { isAbort, post, Refusal } from "../api/client";

export interface Asked<T> {
  data: T | undefined;
  error: Refusal | undefined;
  waiting: boolean;
}

export function useAnswer<T>(path: string, body: object | undefined): Asked<T> {
  const key = body === undefined ? undefined : path + JSON.stringify(body);
  const [asked, setAsked] = useState<Asked<T> & { key: string | undefined }>({ key: undefined, data: undefined, error: undefined, waiting: false });
  useEffect(() => {
    if (key === undefined) return setAsked({ key, data: undefined, error: undefined, waiting: false });
    const stop = new AbortController();
    setAsked((old) => ({ ...old, waiting: true }));
    post<T>(path, body, stop.signal).then(
      (data) => setAsked({ key, data, error: undefined, waiting: false }),
      (error) => {
        if (isAbort(error)) return;
        if (!(error instanceof Refusal)) throw error;
        setAsked({ key, data: undefined, error, waiting: false });
      },
    );
    return () => stop.abort();
  }, [key]);
  return asked.key === key ? asked : { ...asked, waiting: true };
}
