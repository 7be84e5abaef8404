// A project is a merchant's brand or site: it owns its keys, webhooks, branding, customers and payments. This module creates,
// reads and changes projects; other modules react to its events.
import { fail } from '@kassa/contract/kit/api-error.ts'
import { DEFAULT_BRAND_COLOR, type NewProject, type ProjectChange } from '@kassa/contract/projects/schemas.ts'
import { type Context, inTransaction } from '../../context.ts'
import { versioned } from '../../db/versioned.ts'
import { acceptAllAssets, acceptedAssets } from './accepted-assets.ts'
import { addProjectRole } from '../operators/accounts/service.ts'
import { encodeLogo } from './logo.ts'
import {
  findProjectRow,
  findUpload as findUploadRow,
  insertProject,
  insertUpload,
  listProjectRows,
  moveStatus,
  type ProjectRow,
  type ProjectValues,
  updateProject,
} from './store.ts'

export { acceptedAssets } from './accepted-assets.ts'

export { hasOwnLogo } from './logo.ts'
export { changePaymentPolicy, incomingRules, type PaymentPolicy, paymentPolicy, projectsThatRemind } from './policy.ts'
export type { ProjectRow } from './store.ts'

const projectOf = versioned(findProjectRow)

/** The project of this id. @throws PROJECT_NOT_FOUND */
export async function getProject(ctx: Context, id: number): Promise<ProjectRow> {
  return (await projectOf(ctx, id)) ?? fail('PROJECT_NOT_FOUND')
}

/** The project of this id, or null. */
export async function findProject(ctx: Context, id: number): Promise<ProjectRow | null> {
  return (await projectOf(ctx, id)) ?? null
}

/** The projects of these ids, ordered by id. */
export async function listProjects(ctx: Context, ids: readonly number[] | 'every'): Promise<ProjectRow[]> {
  return listProjectRows(ctx, ids)
}

/**
 * Adds a project that accepts every visible asset; its creator leads it unless an install-wide role already lets them.
 * @throws IMAGE_INVALID, ASSET_NOT_ACCEPTED, and what a subscriber of project.created refuses
 */
export async function createProject(ctx: Context, input: NewProject): Promise<ProjectRow> {
  const logo = input.logo && (await encodeLogo(input.logo))
  return inTransaction(ctx, async (tx) => {
    const project = await insertProject(tx, { ...valuesOf(input), name: input.name })
    await acceptAllAssets(tx, project.id)
    const { caller } = tx
    if (caller.kind === 'operator' && !caller.grants.install.has('project:update')) {
      await addProjectRole(tx, { operatorId: caller.operatorId, projectId: project.id, role: 'project_lead' })
    }
    const changes = { ...(await defaultAssetOf(tx, project, input)), ...(await storeLogo(tx, project.id, logo)) }
    const stored = Object.keys(changes).length > 0 ? await updateProject(tx, project.id, changes, null) : project
    await announce(tx, 'project.created', stored ?? project, input)
    tx.change(null, stored ?? project, { projectId: project.id })
    return stored ?? project
  })
}

/**
 * Changes what the input names; an empty text clears.
 * @throws PROJECT_NOT_FOUND, EDIT_CONFLICT when it changed after `lastChange`, and as `createProject`
 */
export async function changeProject(
  ctx: Context,
  id: number,
  input: ProjectChange,
  lastChange: Date | null = null,
): Promise<ProjectRow> {
  const logo = input.logo && (await encodeLogo(input.logo))
  return inTransaction(ctx, async (tx) => {
    const project = await getProject(tx, id)
    const values = {
      ...valuesOf(input),
      ...(await defaultAssetOf(tx, project, input)),
      ...(await storeLogo(tx, id, logo)),
    }
    const updated = await updateProject(tx, id, values, lastChange)
    if (!updated) return fail('EDIT_CONFLICT')
    await announce(tx, 'project.changed', updated, input)
    tx.change(project, updated)
    return updated
  })
}

/**
 * Archives a project, or activates it again. An archived project can be read but takes no writes, and nothing is sent to its
 * endpoints; their pending deliveries are sent once it is active again. Incoming money is credited as always. Idempotent.
 * @throws PROJECT_NOT_FOUND
 */
export async function moveProject(ctx: Context, id: number, to: ProjectRow['status']): Promise<ProjectRow> {
  return inTransaction(ctx, async (tx) => {
    const moved = await moveStatus(tx, id, to)
    if (!moved) return getProject(tx, id)
    await announce(tx, 'project.changed', moved, {})
    tx.change(null, { status: to })
    return moved
  })
}

/** The stored image of this name, or null. */
export async function findUpload(ctx: Context, name: string): Promise<{ contentType: string; bytes: Buffer } | null> {
  const row = await findUploadRow(ctx, name)
  return row ? { contentType: row.content_type, bytes: row.bytes } : null
}

async function announce(
  ctx: Context,
  type: 'project.created' | 'project.changed',
  project: ProjectRow,
  { webhookEndpoint }: ProjectChange,
): Promise<void> {
  await ctx.events.emit(ctx, {
    type,
    projectId: project.id,
    payload: {
      project_id: project.id,
      name: project.name,
      status: project.status,
      ...(webhookEndpoint !== undefined && { webhookEndpoint }),
    },
  })
}

async function storeLogo(
  ctx: Context,
  projectId: number,
  logo: { name: string; bytes: Buffer } | undefined,
): Promise<ProjectValues> {
  if (!logo) return {}
  await insertUpload(ctx, { ...logo, project_id: projectId, content_type: 'image/png' })
  return { logo_path: `/uploads/${logo.name}` }
}

/** A default asset must be one the project accepts, on the network that is named with it or was before. */
async function defaultAssetOf(ctx: Context, project: ProjectRow, input: ProjectChange): Promise<ProjectValues> {
  const { defaultPaymentBlockchainID: blockchain, defaultPaymentBlockchainCurrencyID: asset } = input
  if (blockchain === undefined && asset === undefined) return {}
  const blockchainId = blockchain === undefined ? project.default_blockchain_id : blockchain
  const assetId = asset === undefined && blockchain !== undefined ? retainedAsset(project, blockchain) : (asset ?? null)
  const isAccepted = (await acceptedAssets(ctx, project.id)).some(
    (one) => (assetId === null || one.id === assetId) && (blockchainId === null || one.blockchainId === blockchainId),
  )
  if (!isAccepted && (assetId !== null || blockchainId !== null)) return fail('ASSET_NOT_ACCEPTED')
  return { default_blockchain_id: blockchainId, default_asset_id: assetId }
}

/** A default currency stays only while its network does. */
function retainedAsset(project: ProjectRow, blockchainId: number | null): number | null {
  return blockchainId === project.default_blockchain_id ? project.default_asset_id : null
}

const COLUMNS = {
  name: 'name',
  website: 'website',
  successEndpoint: 'success_endpoint',
  cancelEndpoint: 'cancel_endpoint',
  frontendEndpoint: 'frontend_endpoint',
  webhookEndpoint: 'webhook_endpoint',
  twitterURL: 'twitter_url',
  discordURL: 'discord_url',
  linkedInURL: 'linkedin_url',
  telegramURL: 'telegram_url',
  supportEmail: 'support_email',
  emailSendRequestFrom: 'email_send_request_from',
  emailSendRequestReplyTo: 'email_send_request_reply_to',
  checkoutLanguage: 'checkout_language',
  backText: 'back_text',
} as const satisfies Partial<Record<keyof ProjectChange, keyof ProjectValues>>

/** The columns an input names; `""` for a colour or a theme brings the default back, a cleared logo path removes the logo. */
function valuesOf(input: ProjectChange): ProjectValues {
  const values: ProjectValues & Record<string, string> = {}
  for (const [field, column] of Object.entries(COLUMNS)) {
    const value = input[field as keyof typeof COLUMNS]
    if (value !== undefined) values[column] = value
  }
  if (input.brandColor !== undefined) values.brand_color = input.brandColor || DEFAULT_BRAND_COLOR
  if (input.checkoutTheme !== undefined) values.checkout_theme = input.checkoutTheme || 'system'
  if (input.logoPath === '') values.logo_path = ''
  return values
}
