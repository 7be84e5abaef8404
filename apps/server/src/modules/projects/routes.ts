import { fail } from '@kassa/contract/kit/api-error.ts'
import type { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { ProjectDetail } from '@kassa/contract/projects/schemas.ts'
import type { Context, ProjectScope } from '../../context.ts'
import { type Handlers, lastChange, reply } from '../../http/handlers.ts'
import {
  acceptedAssets,
  hasDepositWallet,
  listPaymentOptions,
  listProjectAssets,
  setProjectAssets,
  switchPaymentOptions,
} from './accepted-assets.ts'
import { roleOf, rolesOf } from '../operators/accounts/service.ts'
import { siteUrl } from '../settings/service.ts'
import { changePaymentPolicy, readPaymentPolicy } from './policy.ts'
import { changeProject, createProject, getProject, listProjects, moveProject } from './service.ts'
import type { ProjectRow } from './store.ts'
import { logoAddress, projectView } from './view.ts'
import type { acceptedAssetsRoutes } from '@kassa/contract/blockchains/accepted-assets-routes.ts'
import { findAsset } from '../blockchains/chains/service.ts'

export const projectsHandlers: Handlers<typeof projectsRoutes> = {
  listProjects: async (ctx, { scope, query }) => {
    const site = await siteUrl(ctx)
    const rows = await listProjects(ctx, scope.projectIds)
    const views = rows.filter((row) => row.status === (query.status ?? 'active')).map((row) => projectView(row, site))
    return reply(views, { headers: { 'x-total-count': String(views.length) } })
  },
  listProjectDetails: async (ctx, { scope }) => {
    const site = await siteUrl(ctx)
    const rows = await listProjects(ctx, scope.projectIds)
    return Promise.all(rows.map((row) => detailOf(ctx, row, site)))
  },
  createProject: async (ctx, { body }) => projectView(await createProject(ctx, body), await siteUrl(ctx)),
  getProject: async (ctx, { scope }) => projectView(await getProject(ctx, one(scope)), await siteUrl(ctx)),
  changeProject: async (ctx, { scope, body, request }) => {
    const row = await changeProject(ctx, one(scope), body, lastChange(request))
    return projectView(row, await siteUrl(ctx))
  },
  archiveProject: async (ctx, { scope }) =>
    projectView(await moveProject(ctx, one(scope), 'archived'), await siteUrl(ctx)),
  restoreProject: async (ctx, { scope }) =>
    projectView(await moveProject(ctx, one(scope), 'active'), await siteUrl(ctx)),
  getPaymentPolicy: (ctx, { scope }) => readPaymentPolicy(ctx, one(scope)),
  changePaymentPolicy: (ctx, { scope, body, request }) =>
    changePaymentPolicy(ctx, one(scope), body, lastChange(request)),
}

async function detailOf(ctx: Context, row: ProjectRow, site: string | null): Promise<ProjectDetail> {
  const assets = await acceptedAssets(ctx, row.id)
  const logo = logoAddress(row, site)
  return {
    id: row.id,
    name: row.name,
    logo,
    logoPath: logo,
    networkCount: new Set(assets.map((asset) => asset.blockchainId)).size,
    currencyCount: assets.length,
    hasDepositWallet: await hasDepositWallet(ctx, row.id),
    status: row.status,
    role: await roleIn(ctx, row.id),
    referenceId: String(row.id),
  }
}

/** The role of the caller in the project, else the one for the whole install. */
async function roleIn(ctx: Context, projectId: number): Promise<string> {
  if (ctx.caller.kind !== 'operator') return ''
  const roles = await rolesOf(ctx, ctx.caller.operatorId)
  const assigned = roles.find((role) => role.project_id === projectId) ?? roles.find((role) => role.project_id === null)
  return assigned ? (await roleOf(ctx, assigned.role_id)).displayName : ''
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}

export const acceptedAssetsHandlers: Handlers<typeof acceptedAssetsRoutes> = {
  listProjectAssets: (ctx, { scope, query }) => listProjectAssets(ctx, one(scope), query),

  async setProjectAssets(ctx, { scope, body }) {
    await setProjectAssets(ctx, one(scope), body.blockchainCurrencies)
    return listProjectAssets(ctx, one(scope), {})
  },

  listPaymentOptions: async (ctx, { scope }) => ({
    mainnet: ctx.config.network === 'mainnet',
    options: await listPaymentOptions(ctx, one(scope)),
  }),

  async setPaymentOptions(ctx, { scope, body }) {
    await switchPaymentOptions(ctx, one(scope), body.options)
    return { mainnet: ctx.config.network === 'mainnet', options: await listPaymentOptions(ctx, one(scope)) }
  },

  async setPaymentOption(ctx, { scope, params, body }) {
    const [blockchain = '', currency = ''] = params.optionKey.split(':')
    const { blockchainCode, currencyCode } = await findAsset(ctx, blockchain, currency)
    const optionKey = `${blockchainCode}:${currencyCode}`
    await switchPaymentOptions(ctx, one(scope), [{ optionKey, enabled: body.enabled }])
    const options = await listPaymentOptions(ctx, one(scope))
    return options.find((option) => option.optionKey === optionKey) ?? fail('ASSET_NOT_FOUND')
  },
}
