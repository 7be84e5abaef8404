import { fail } from '@kassa/contract/kit/api-error.ts'
import type { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import type { Vault, VaultDetail } from '@kassa/contract/vaults/schemas.ts'

import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/handlers.ts'
import { countOpen, findDefaultVault } from './keys/store.ts'
import {
  changeVault,
  createVault,
  deleteVault,
  lockVault,
  prepareChange,
  prepareUnlock,
  prepareVault,
  unlockVault,
} from './manage-vaults.ts'
import { beginRotation } from './rotate.ts'
import { listSecretFacts, listVaults } from './store.ts'
import { vaultDetailView, vaultView } from './view.ts'

export const vaultsHandlers: Handlers<typeof vaultsRoutes> = {
  listVaults: async (ctx) => {
    const open = await countOpen(ctx)
    return (await listVaults(ctx)).map((vault) => vaultView(vault, open))
  },

  getDefaultVault: async (ctx) => readDetail(ctx, (await findDefaultVault(ctx)).id),

  createVault: async (ctx, { body, request }) =>
    readVault(ctx, await createVault(ctx, await prepareVault(ctx, body, request.network))),

  getVault: (ctx, { params }) => readDetail(ctx, params.id),

  changeVault: async (ctx, { params, body, request }) => {
    await changeVault(ctx, await prepareChange(ctx, params.id, body, request.network))
    return readVault(ctx, params.id)
  },

  unlockVault: async (ctx, { params, body, request }) => {
    await unlockVault(ctx, await prepareUnlock(ctx, params.id, body.passphrase, request.network))
    return readVault(ctx, params.id)
  },

  lockVault: async (ctx, { params }) => {
    await lockVault(ctx, params.id)
    return readVault(ctx, params.id)
  },

  rotateVault: async (ctx, { params }) => {
    await beginRotation(ctx, params.id)
    return readVault(ctx, params.id)
  },

  deleteVault: async (ctx, { params }) => {
    await deleteVault(ctx, params.id)
    return { message: 'The vault was deleted.' }
  },
}

async function readVault(ctx: Context, id: number): Promise<Vault> {
  const [vault] = await listVaults(ctx, id)
  return vaultView(vault ?? fail('VAULT_NOT_FOUND'), await countOpen(ctx))
}

async function readDetail(ctx: Context, id: number): Promise<VaultDetail> {
  return vaultDetailView(await readVault(ctx, id), await listSecretFacts(ctx, id))
}
