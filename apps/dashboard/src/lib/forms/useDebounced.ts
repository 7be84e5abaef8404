import { useEffect, useState } from 'react'

/** Longer than between two keys while typing. */
const DEBOUNCE_MS = 600

/** Says whether a text has stood still: what is said of half a number would come and go with every key. */
export function useDebounced(text: string): boolean {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === settled
}
