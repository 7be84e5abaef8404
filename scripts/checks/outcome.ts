/** One place where the code differs from the rules. */
export type Finding = { readonly file: string; readonly line?: number; readonly message: string }

/** What a check found, and the figure it prints beside its name. */
export type Outcome = { readonly findings: readonly Finding[]; readonly note?: string }

/** A named question asked of the whole checkout. */
export type Check = { readonly name: string; readonly run: (root: string) => Promise<Outcome> }

/** Prints a finding as one line that an editor can open. */
export function line(finding: Finding): string {
  const place = finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`
  return place === '' ? finding.message : `${place}  ${finding.message}`
}
