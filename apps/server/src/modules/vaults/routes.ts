import { fail } from '@kassa/contract/kit/api-error.ts'
import type { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import type { Vault, VaultDetail } from '@kassa/contract/vaults/schemas.ts'

import type { Context } from '../../context.ts'
import { type Handlers, prepared } from '../../http/handlers.ts'
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

  createVault: prepared({
    prepare: (ctx, { body, request }) => prepareVault(ctx, body, request.network),
    perform: async (ctx, _input, vault) => readVault(ctx, await createVault(ctx, vault)),
  }),

  getVault: (ctx, { params }) => readDetail(ctx, params.id),

  changeVault: prepared({
    prepare: (ctx, { params, body, request }) => prepareChange(ctx, params.id, body, request.network),
    perform: async (ctx, { params }, change) => {
      await changeVault(ctx, change)
      return readVault(ctx, params.id)
    },
  }),

  unlockVault: prepared({
    prepare: (ctx, { params, body, request }) => prepareUnlock(ctx, params.id, body.passphrase, request.network),
    perform: async (ctx, { params }, unlock) => {
      await unlockVault(ctx, unlock)
      return readVault(ctx, params.id)
    },
  }),

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
