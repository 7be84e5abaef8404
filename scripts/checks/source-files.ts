import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A text file of the project with its path relative to the root. */
export type SourceFile = { readonly path: string; readonly text: string }

/** Lists every file git tracks or would track, sorted by path; ignored and deleted files are left out. */
export async function projectPaths(root: string): Promise<string[]> {
  const list = async (...args: string[]) =>
    (await run('git', ['ls-files', '-z', ...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout.split('\0')
  const [present, deleted] = await Promise.all([list('--cached', '--others', '--exclude-standard'), list('--deleted')])
  const gone = new Set(deleted)
  return [...new Set(present)].filter((path) => path !== '' && !gone.has(path)).sort()
}

/** Reads the files whose path matches, sorted by path. */
export async function readSources(root: string, matches: (path: string) => boolean): Promise<SourceFile[]> {
  const paths = (await projectPaths(root)).filter(matches)
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })))
}

/** Tells hand-written TypeScript from everything else: printed and recorded files are not written by hand. */
export function isWrittenCode(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path) && !/(^|\/)(generated|fixtures)\//.test(path) && !path.endsWith('.d.ts')
}

/** Tells what only tests run. */
export function isTestCode(path: string): boolean {
  return /\.test\.tsx?$|(^|\/)testing\/|^(e2e|bench)\//.test(path)
}

const stringOrComment =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/gm

/** Blanks comments and keeps every line where it is, so that a check reads code only; a string may hold `//` or `/*`. */
export function withoutComments(text: string): string {
  return text.replace(stringOrComment, (match, string?: string) => string ?? match.replace(/[^\n]/g, ' '))
}

/** Finds each line of the code (comments blanked) that matches, with its number counted from 1. */
export function linesMatching(source: SourceFile, pattern: RegExp): { line: number; text: string }[] {
  return withoutComments(source.text)
    .split('\n')
    .map((text, index) => ({ line: index + 1, text }))
    .filter(({ text }) => pattern.test(text))
}
