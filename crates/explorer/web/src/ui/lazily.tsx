// A part of the page that is fetched when it is first shown: the frame and the properties need not wait for it.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Waiting } from "./words";

export function lazily(load: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | undefined;
  return function Lazy() {
    const [Body, setBody] = useState(() => known);
    useEffect(() => {
      if (known !== undefined) return;
      void load().then((found) => {
        known = found;
        setBody(() => found);
      });
    }, []);
    return Body === undefined ? <Waiting>opening</Waiting> : <Body />;
  };
}
