import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Outcome } from './outcome.ts'

/**
 * Runs a tool of the checkout from its root and gives back what it printed and how it ended. A tool written in Go uses one
 * core: each of its threads works out the same types again, and another check has the other core.
 */
export function runTool(
  root: string,
  tool: string,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const bin = join(import.meta.dirname, '../../node_modules/.bin')
  return new Promise((resolve, reject) => {
    const child = spawn(join(bin, tool), args, {
      cwd: root,
      env: {
        ...process.env,
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        NO_COLOR: '1',
        FORCE_COLOR: '0',
        GOMAXPROCS: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8').trim() }))
  })
}

/** Turns a tool's exit code into an outcome: its output is the finding. */
export async function toolOutcome(root: string, tool: string, args: readonly string[]): Promise<Outcome> {
  const { code, output } = await runTool(root, tool, args)
  if (code === 0) return { findings: [] }
  return { findings: [{ file: '', message: output === '' ? `${tool} ended with code ${code}` : output }] }
}
