/** The series of a legend that are hidden, by key. */
export type Hidden = ReadonlySet<string>

/** Returns what is hidden after a press on an entry: it alone changes sides. The last one in sight cannot go: all come back. */
export function hiddenAfterPress(hidden: Hidden, keys: readonly string[], key: string): Hidden {
  const next = new Set(hidden)
  if (!next.delete(key)) next.add(key)
  return keys.every((one) => next.has(one)) ? new Set() : next
}

/** Returns what is hidden after two presses at once, of what was hidden before them: all others, or nothing where they were. */
export function hiddenAfterDoublePress(hidden: Hidden, keys: readonly string[], key: string): Hidden {
  const others = keys.filter((one) => one !== key)
  const wasAlone = !hidden.has(key) && others.every((one) => hidden.has(one))
  return new Set(wasAlone ? [] : others)
}
