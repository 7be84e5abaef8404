import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type AnvilOptions = {
  readonly chainId: number
  /** 0 or absent lets the system choose. */
  readonly port?: number
  /** Keeps the chain in this file, written every second; its folder is made when missing. */
  readonly statePath?: string
  /** Where the node's output goes; absent uses a temporary file, removed by `stop`. */
  readonly logPath?: string
  /** Further command line flags, such as `--no-mining`. */
  readonly args?: readonly string[]
  /** Called when its process runs, long before it serves. */
  readonly onSpawn?: () => void
}

export type Anvil = { readonly url: string; readonly pid: number; readonly stop: () => Promise<void> }

/** anvil is ready in 40–84 ms on an idle machine; a loaded one gets plenty more. */
const READY_WITHIN_MS = 15_000

/** Time to write the state file after SIGTERM, before SIGKILL. */
const STOP_WITHIN_MS = 5_000

const NOT_INSTALLED = 'a local chain needs Linux x64, or an `anvil` program on PATH (https://getfoundry.sh)'

/** The port the system gave may be taken before anvil binds it; a few attempts settle that. */
const PORT_ATTEMPTS = 3

/**
 * Starts a local EVM chain without funded accounts, in a process group and with a log file of its own, and answers when it serves.
 * `stop` ends it by pid after it has written its state; calling it twice is harmless.
 * @throws Error when anvil is not installed or does not come up, with the end of its log
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const binary = anvilPath()
  if (options.port) return launch(binary, options, options.port)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(binary, options, await freePort())
    } catch (error) {
      if (attempt === PORT_ATTEMPTS) throw error
    }
  }
}

/** Finds the anvil program: the npm package for this platform, else the bare name, which is looked up on PATH. */
export function anvilPath(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  try {
    const require = createRequire(import.meta.url)
    return join(dirname(require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`)), 'bin', name)
  } catch {
    return name
  }
}

async function launch(binary: string, options: AnvilOptions, port: number): Promise<Anvil> {
  const temporary = options.logPath === undefined ? mkdtempSync(join(tmpdir(), 'kassa-anvil-')) : undefined
  const logPath = options.logPath ?? join(temporary ?? '', 'anvil.log')
  if (options.statePath) mkdirSync(dirname(options.statePath), { recursive: true })
  const log = openSync(logPath, 'a')
  const child = spawn(binary, flags(options, port), { detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  child.unref()
  options.onSpawn?.()
  const stop = async () => {
    await end(child)
    if (temporary) rmSync(temporary, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    const pid = await ready(child, url, options.chainId)
    return { url, pid, stop }
  } catch (error) {
    const tail = readFileSync(logPath, 'utf8').slice(-2_000)
    await stop()
    throw new Error(`anvil did not start on port ${port}: ${String(error)}\n${tail}`, { cause: error })
  }
}

function flags(options: AnvilOptions, port: number): string[] {
  const network = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(options.chainId)]
  const state = options.statePath ? ['--state', options.statePath, '--state-interval', '1'] : []
  return [...network, '--accounts', '0', '--quiet', ...state, ...(options.args ?? [])]
}

async function ready(child: ChildProcess, url: string, chainId: number): Promise<number> {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const until = Date.now() + READY_WITHIN_MS
  while (Date.now() < until) {
    if (failure) throw new Error(NOT_INSTALLED, { cause: failure })
    if (hasEnded(child)) throw new Error(`it ended with code ${child.exitCode ?? child.signalCode}`)
    if (child.pid && (await servesChain(url, chainId))) return child.pid
    await sleep(20)
  }
  throw new Error(`no answer within ${READY_WITHIN_MS} ms`)
}

async function servesChain(url: string, chainId: number): Promise<boolean> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answer: unknown = await response.json()
    const result = typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined
    return Number(result) === chainId
  } catch {
    return false
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return
  child.kill('SIGTERM')
  const until = Date.now() + STOP_WITHIN_MS
  while (!hasEnded(child)) {
    if (Date.now() > until) child.kill('SIGKILL')
    await sleep(10)
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
