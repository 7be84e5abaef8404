import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { kassaFactory } from '../src/generated/kassa-factory.ts'

export type ForgeOptions = {
  readonly factory?: string
  readonly env?: Record<string, string>
  readonly args?: readonly string[]
}
export type ForgeRun = { readonly passed: boolean; readonly calls: number; readonly output: string }

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
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const output = Buffer.concat(chunks).toString()
  const calls = [...output.matchAll(/runs: \d+, calls: (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  return { passed: code === 0, calls, output }
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
  const { passed, calls, output } = await runForge({ env })
  console.log(output)
  console.log(
    `${calls} random calls in ${Math.round((Date.now() - started) / 1000)} s: ${passed ? 'nothing found' : 'FAILED'}`,
  )
  process.exitCode = passed ? 0 : 1
}
