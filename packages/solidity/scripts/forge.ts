import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { kassaFactory } from '../src/generated/kassa-factory.ts'

export type ForgeOptions = {
  readonly factory?: string
  readonly env?: Record<string, string>
  readonly args?: readonly string[]
}
export type ForgeRun = {
  readonly passed: boolean
  readonly calls: number
  readonly output: string
  /** What ended forge before it was done; null where it came to its end. */
  readonly signal: NodeJS.Signals | null
}

export type Verdict = { readonly proves: boolean; readonly text: string }

type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

const HOME = join(import.meta.dirname, '..')

/**
 * Runs the tests of the contracts on a factory of this bytecode, the committed one by default; `env` changes how long
 * forge tries (`FOUNDRY_INVARIANT_RUNS`, `FOUNDRY_FUZZ_RUNS`). `calls` counts the random calls of the invariants.
 * @throws Error where there is no forge for this machine
 */
export async function runForge({ factory, env, args }: ForgeOptions = {}): Promise<ForgeRun> {
  const child = spawn(forgePath(), ['test', ...(args ?? [])], {
    cwd: HOME,
    env: {
      ...process.env,
      FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
      ...env,
      KASSA_FACTORY_CODE: factory ?? kassaFactory.bytecode,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => void chunks.push(chunk))
  const { code, signal } = await new Promise<End>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }))
  })
  const output = Buffer.concat(chunks).toString()
  const calls = [...output.matchAll(/runs: \d+, calls: (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  return { passed: code === 0, calls, output, signal }
}

/** Says in one line whether a run proves what it was started for: nothing was found, in as many random calls as were wanted. */
export function verdictOf({ passed, calls, signal }: Omit<ForgeRun, 'output'>, wanted: number): Verdict {
  if (signal !== null) return { proves: false, text: `forge was ended by ${signal}: nothing is proven, run it again` }
  if (!passed) return { proves: false, text: 'FAILED' }
  if (calls < wanted) return { proves: false, text: `fewer than the ${wanted} that were wanted: nothing is proven` }
  return { proves: true, text: 'nothing found' }
}

function forgePath(): string {
  const { platform, arch } = process
  const name = `@foundry-rs/forge-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  // The package for the platform is a dependency of the one we name.
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json'))
  return join(dirname(require.resolve(`${name}/package.json`)), 'bin', platform === 'win32' ? 'forge.exe' : 'forge')
}

/** `npm run fuzz-contracts`: ten million random calls, or as many as `KASSA_FUZZ_CALLS` says, and more of every fuzz test. */
if (import.meta.main) {
  const wanted = Number(process.env.KASSA_FUZZ_CALLS ?? 10_000_000)
  const env = { FOUNDRY_INVARIANT_RUNS: `${Math.ceil(wanted / 200)}`, FOUNDRY_FUZZ_RUNS: '20000' }
  const started = Date.now()
  const run = await runForge({ env })
  const { proves, text } = verdictOf(run, wanted)
  console.log(run.output)
  console.log(`${run.calls} random calls in ${Math.round((Date.now() - started) / 1000)} s: ${text}`)
  process.exitCode = proves ? 0 : 1
}
