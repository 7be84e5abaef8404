import { architectureRules } from './architecture-rules.ts'
import type { Outcome } from './outcome.ts'
import { isWrittenCode, readSources } from './source-files.ts'

/** What a file may be long at most, and what the files together aim at (docs/decisions/0002-import-rules.md). */
const limits = { file: 400, median: 80, percentile95: 250 } as const

/** Measures the length of every written file in lines: each one, their median and their 95th percentile. */
export async function checkSizes(root: string): Promise<Outcome> {
  const sources = await readSources(root, isWrittenCode)
  const lengths = sources
    .map(({ path, text }) => ({ file: path, lines: text.split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines)
  const median = at(lengths, 0.5)
  const percentile95 = at(lengths, 0.95)
  const findings = lengths
    .filter(({ lines }) => lines > limits.file)
    .map(({ file, lines }) => ({ file, message: `is ${lines} lines long. ${architectureRules.tidy}` }))
  if (median > limits.median)
    findings.push({ file: '', message: `The median file has ${median} lines, more than ${limits.median}` })
  if (percentile95 > limits.percentile95) {
    findings.push({
      file: '',
      message: `One file in twenty has more than ${limits.percentile95} lines (95th percentile: ${percentile95})`,
    })
  }
  return { findings, note: `${lengths.length} files, median ${median} lines, 95th percentile ${percentile95}` }
}

/** Gives the length at a fraction of the sorted list; 0 for an empty one. */
function at(sorted: readonly { lines: number }[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))]?.lines ?? 0
}
