// What was just done, with a way back.
import { useEffect } from "preact/hooks";
import { change, useStore } from "../state/store";

const SHOWN_FOR = 8000;

export function Notice() {
  const notice = useStore((state) => state.notice);
  useEffect(() => {
    if (notice === undefined) return;
    const timer = setTimeout(() => change({ notice: undefined }), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [notice]);
  const takeBack = () => {
    notice?.undo();
    change({ notice: undefined });
  };
  return (
    <div class="notice-place" role="status">
      {notice && <p class="notice">{notice.text} <button type="button" class="quiet" onClick={takeBack}>Undo</button></p>}
    </div>
  );
}
