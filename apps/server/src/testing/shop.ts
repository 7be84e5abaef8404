import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { HDKey } from 'viem/accounts'

import { asSystem } from '../context.ts'
import { setSandboxNode } from '../modules/blockchains/nodes/service.ts'
import type { TestApp } from './app.ts'

/** A project that can take payments on ETH and BASE, with a key of its own. */
export type Shop = { readonly projectId: number; readonly p: string; readonly apiKey: string }

let wallets = 0

/** Opens a shop as the signed-in operator: project, deposit wallet, API key; its chains have a node that is not asked. */
export async function openShop(app: TestApp, operatorKey: string, name = 'Shop'): Promise<Shop> {
  for (const code of ['ETH', 'BASE']) await setSandboxNode(asSystem(app.ctx), code, 'http://127.0.0.1:9')
  const options = { key: operatorKey }
  const project = await app.call(projectsRoutes.createProject, { body: { name } }, options)
  const projectId = project.body.id
  const p = String(projectId)
  const xpubs = [{ family: 'ETH_Family', xpub: accountXpub() }]
  await app.call(
    walletsRoutes.addDepositWallet,
    { body: { name: `${name} deposits`, projectID: projectId, xpubs } },
    options,
  )
  const created = await app.call(apiKeysRoutes.createApiKey, { params: { p }, body: { name } }, options)
  return { projectId, p, apiKey: created.body.key ?? '' }
}

/** The extended public key of a new account. */
export function accountXpub(): string {
  return newAccount().publicExtendedKey
}

/** A new account, with the keys of its addresses. */
export function newAccount(): HDKey {
  wallets += 1
  return HDKey.fromMasterSeed(Buffer.alloc(32, `wallet ${wallets}`)).derive("m/44'/60'/0'")
}
