import { useEffect, useState } from 'react'

/** Longer than between two keys while typing. */
const DEBOUNCE_MS = 600

/** Says whether a text has stood still: what is said of half a number would come and go with every key. */
export function useDebounced(text: string, ms = DEBOUNCE_MS): boolean {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return text === settled
}
