import { fail } from '@kassa/contract/kit/refusal.ts'
import type { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { ProjectDetail } from '@kassa/contract/projects/schemas.ts'

import type { Context } from '../../context.ts'
import type { Handlers, ProjectScope } from '../../http/handlers.ts'
import { acceptedAssets } from '../blockchains/service.ts'
import { builtInRole, rolesOf } from '../operators/service.ts'
import { siteUrl } from '../settings/service.ts'
import { changeProject, createProject, getProject, listProjects, type ProjectRow } from './service.ts'
import { logoAddress, projectView } from './view.ts'

export const projectsHandlers: Handlers<typeof projectsRoutes> = {
  listProjects: async (ctx, { scope, query }) => {
    const site = await siteUrl(ctx)
    const rows = await listProjects(ctx, scope.projectIds)
    return rows.filter((row) => row.status === (query.status ?? 'active')).map((row) => projectView(row, site))
  },
  listProjectDetails: async (ctx, { scope }) => {
    const site = await siteUrl(ctx)
    const rows = await listProjects(ctx, scope.projectIds)
    return Promise.all(rows.map((row) => detailOf(ctx, row, site)))
  },
  createProject: async (ctx, { body }) => projectView(await createProject(ctx, body), await siteUrl(ctx)),
  getProject: async (ctx, { scope }) => projectView(await getProject(ctx, one(scope)), await siteUrl(ctx)),
  changeProject: async (ctx, { scope, body, request }) => {
    const since = request.headers['if-unmodified-since']
    const row = await changeProject(ctx, one(scope), body, since === undefined ? null : new Date(since))
    return projectView(row, await siteUrl(ctx))
  },
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
    status: row.status,
    role: await roleIn(ctx, row.id),
    referenceId: String(row.id),
  }
}

/** What the caller is in the project: the role held there, else the one held for the whole install. */
async function roleIn(ctx: Context, projectId: number): Promise<string> {
  if (ctx.caller.kind !== 'operator') return ''
  const roles = await rolesOf(ctx, ctx.caller.operatorId)
  const held = roles.find((role) => role.project_id === projectId) ?? roles.find((role) => role.project_id === null)
  return held ? builtInRole(held.role_id).displayName : ''
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
