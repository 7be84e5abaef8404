import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { pino } from 'pino'
import { vi } from 'vitest'

import { startChains } from '../sandbox/chains.ts'
import { type TestApp, testApp } from './app.ts'

export type SandboxApp = {
  readonly app: TestApp
  /** The session of the first account. */
  readonly key: string
  /** Where the node of a local chain answers that was switched on; empty before. */
  readonly nodeUrl: (code: string) => string
  /** Switches a blockchain on, and waits until its local chain answers: it can be paid on before. */
  readonly switchOn: (code: string) => Promise<void>
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
        await opened?.setLocalNode(code, url)
        urls.set(code, url)
      },
      refuse: async (code, reason) => opened?.refuseLocalChain(code, reason),
    },
  })
  const app = await testApp({ chains, config })
  opened = app
  const key = await app.signUp()
  const nodeUrl = (code: string) => urls.get(code) ?? ''
  return {
    app,
    key,
    nodeUrl,
    switchOn: async (code) => {
      const body = { status: 'active' } as const
      await app.call(blockchainChangesRoutes.changeBlockchain, { params: { x: code }, body }, { key })
      await vi.waitUntil(() => nodeUrl(code) !== '', { timeout: 30_000 })
    },
    stop: async () => {
      await app.stop()
      await chains.stop()
      rmSync(home, { recursive: true })
    },
  }
}
