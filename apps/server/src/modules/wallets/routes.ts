import { fail } from '@kassa/contract/kit/api-error.ts'
import type { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import type { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import type { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { type Describe, type Handlers, reply } from '../../http/handlers.ts'
import type { ProjectScope } from '../../context.ts'
import { findBlockchain } from '../blockchains/chains/service.ts'
import { listCustody, listWalletBalances } from './balances/service.ts'
import { addColdWallet, describeColdWallet } from './cold/service.ts'
import { addHotWallet, describeHotWallet } from './hot/service.ts'
import { pageOfAddresses } from './list-addresses.ts'
import { listProjectWallets, showWallet, visibleWallet, visibleWallets } from './list-wallets.ts'
import { describeLinks, linkWallets, unlinkWallet } from './linking/service.ts'
import { changeWallet, deleteWallet, setDefault, setStatus } from './manage-wallets.ts'
import { addDepositWallet, addListedAddresses, addXpubForAll, growPool } from './service.ts'

type Filters = {
  readonly walletType?: readonly string[] | undefined
  readonly family?: readonly string[] | undefined
  readonly status?: readonly string[] | undefined
}

export const walletsHandlers: Handlers<typeof walletsRoutes> = {
  listWallets: async (ctx, { scope, query }) => counted(filterWallets(await visibleWallets(ctx, scope), query)),
  listWalletsOfProject: async (ctx, { scope, query }) =>
    counted(filterWallets(await visibleWallets(ctx, scope), query)),
  addDepositWallet: async (ctx, { body }) => showWallet(ctx, await addDepositWallet(ctx, body)),
  addFamilyXpub: async (ctx, { scope, params, body }) =>
    showWallet(ctx, await addXpubForAll(ctx, scope, { ...body, family: params.f })),
  growPool: async (ctx, { params, body }) => ({
    requested: body.count,
    pool: await growPool(ctx, { family: params.f, count: body.count }),
  }),
  listProjectWallets: async (ctx, { scope }) => listProjectWallets(ctx, scope.projectIds),
  linkWallets: async (ctx, { scope, body, request }) => {
    await linkWallets(ctx, one(scope), body)
    return reply(await listProjectWallets(ctx, scope.projectIds), { status: request.method === 'POST' ? 201 : 200 })
  },
  unlinkWallet: async (ctx, { scope, params }) => {
    await unlinkWallet(ctx, one(scope), params.id)
    return { message: 'The wallet was unlinked.' }
  },
  listBalances: async (ctx, { scope, query }) =>
    listWalletBalances(ctx, await visibleWallets(ctx, scope), scope.projectIds, query),
  listCustody: async (ctx, { scope }) => listCustody(await visibleWallets(ctx, scope)),
  getWallet: async (ctx, { scope, params }) => visibleWallet(ctx, scope, params.id),
  changeWallet: async (ctx, { scope, params, body }) => {
    await changeWallet(ctx, await visibleWallet(ctx, scope, params.id), body)
    return visibleWallet(ctx, scope, params.id)
  },
  deleteWallet: async (ctx, { scope, params }) => {
    await deleteWallet(ctx, await visibleWallet(ctx, scope, params.id))
    return { message: 'The wallet was deleted.' }
  },
  listWalletAddresses: async (ctx, { scope, params, query }) => {
    const { id } = await visibleWallet(ctx, scope, params.id)
    return pageOfAddresses(ctx, id, scope.projectIds, query)
  },
  addListedAddresses: async (ctx, { scope, params, body }) => {
    await addListedAddresses(ctx, await visibleWallet(ctx, scope, params.id), body)
    return visibleWallet(ctx, scope, params.id)
  },
  setDefaultWallet: async (ctx, { scope, params, body }) => {
    await setDefault(ctx, await visibleWallet(ctx, scope, params.id), body?.family)
    return visibleWallet(ctx, scope, params.id)
  },
  setWalletStatus: async (ctx, { scope, params }) => {
    await setStatus(ctx, await visibleWallet(ctx, scope, params.id), params.status)
    return visibleWallet(ctx, scope, params.id)
  },
}

export const coldWalletsHandlers: Handlers<typeof coldWalletsRoutes> = {
  listColdWallets: async (ctx, { scope, params }) => {
    const blockchain = (await findBlockchain(ctx, params.id)) ?? fail('BLOCKCHAIN_NOT_FOUND')
    const wallets = await visibleWallets(ctx, scope)
    return counted(
      wallets.filter(
        ({ walletType, blockchainCode: code }) => walletType === 'cold_wallet' && code === blockchain.code,
      ),
    )
  },
  addColdWallet: async (ctx, { params, body }) =>
    showWallet(ctx, await addColdWallet(ctx, { ...body, blockchain: params.id })),
}

/** What adding a cold wallet will do. */
export const describeAddColdWallet: Describe<typeof coldWalletsRoutes.addColdWallet> = (ctx, { params, body }) =>
  describeColdWallet(ctx, { ...body, blockchain: params.id })

export const hotWalletsHandlers: Handlers<typeof hotWalletsRoutes> = {
  addHotWallet: async (ctx, { params, body }) =>
    showWallet(ctx, await addHotWallet(ctx, { ...body, family: params.f })),
}

/** What adding a hot wallet will do. */
export const describeAddHotWallet: Describe<typeof hotWalletsRoutes.addHotWallet> = (ctx, { params, body }) =>
  describeHotWallet(ctx, { ...body, family: params.f })

/** What replacing a linked wallet will do. */
export const describeLinkWallets: Describe<typeof walletsRoutes.linkWallets> = (ctx, { scope, body }) =>
  describeLinks(ctx, one(scope), body)

function filterWallets(wallets: Wallet[], { walletType, family, status }: Filters): Wallet[] {
  return wallets.filter(
    (wallet) =>
      (walletType?.includes(wallet.walletType) ?? true) &&
      (family?.includes(wallet.family) ?? true) &&
      (status?.includes(wallet.status) ?? true),
  )
}

function counted(wallets: Wallet[]) {
  return reply(wallets, { headers: { 'x-total-count': String(wallets.length) } })
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
