import { useEffect, useState } from "preact/hooks";

/** As in `page.css`: from this width on, a view has two columns. */
const WIDE = "(min-width: 900px)";

/** Whether what is asked stands beside the answer. Otherwise the answer comes first, in what is read and heard, too. */
export function useWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const onChange = (): void => setWide(query.matches);
    onChange();
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);
  return isWide;
}
