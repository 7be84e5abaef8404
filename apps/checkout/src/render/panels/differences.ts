import { foldLike } from '@kassa/keys/address-case.ts'

/** Characters that follow each other, and whether another text has others at the same place. */
export type Run = { readonly differs: boolean; readonly text: string }

/** Splits an address into what another one has at the same place, and what it has not; where case says nothing it does not count. */
export function differences(text: string, other: string): Run[] {
  const runs: { differs: boolean; text: string }[] = []
  const [own, theirs] = [foldLike(text, text), foldLike(text, other)]
  for (const [at, character] of Array.from(text).entries()) {
    const differs = own[at] !== theirs[at]
    const last = runs.at(-1)
    if (last?.differs === differs) last.text += character
    else runs.push({ differs, text: character })
  }
  return runs
}
