/** Characters that follow each other, and whether another text has others at the same place. */
export type Run = { readonly differs: boolean; readonly text: string }

/** Splits a text into what another one has at the same place, and what it has not; case does not count. */
export function differences(text: string, other: string): Run[] {
  const runs: { differs: boolean; text: string }[] = []
  for (const [at, character] of Array.from(text).entries()) {
    const differs = character.toLowerCase() !== other[at]?.toLowerCase()
    const last = runs.at(-1)
    if (last?.differs === differs) last.text += character
    else runs.push({ differs, text: character })
  }
  return runs
}
