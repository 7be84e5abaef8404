import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'

import { startChains } from '../sandbox/chains.ts'
import { type TestApp, testApp } from './app.ts'

export type SandboxApp = {
  readonly app: TestApp
  /** The session of the first account. */
  readonly key: string
  /** Where the node of a local chain answers that was switched on; empty before. */
  readonly nodeUrl: (code: string) => string
  readonly stop: () => Promise<void>
}

/** The program with the local chains of the sandbox, which start in a folder of their own when they are switched on. */
export async function sandboxApp(config: { readonly sandboxChains?: readonly number[] } = {}): Promise<SandboxApp> {
  const home = mkdtempSync(join(tmpdir(), 'kassa-sandbox-'))
  const urls = new Map<string, string>()
  let opened: TestApp | undefined
  const chains = await startChains({
    home,
    log: pino({ level: 'silent' }),
    needsBlocks: async (code) => opened !== undefined && opened.waitsForBlocks(code),
    switches: {
      isWanted: async (code) => opened !== undefined && opened.isSwitchedOn(code),
      setNode: async (code, url) => {
        urls.set(code, url)
        await opened?.setLocalNode(code, url)
      },
      refuse: async (code, reason) => opened?.refuseLocalChain(code, reason),
    },
  })
  const app = await testApp({ chains, config })
  opened = app
  return {
    app,
    key: await app.signUp(),
    nodeUrl: (code) => urls.get(code) ?? '',
    stop: async () => {
      await app.stop()
      await chains.stop()
      rmSync(home, { recursive: true })
    },
  }
}
