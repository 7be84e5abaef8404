import type { Context } from '../../context.ts'
import type { ProjectRow } from '../projects/service.ts'
import { allowedOrigins, linkOrigins } from '../settings/service.ts'

/** Where the payer pays, and the API base that is named beside it; a project's own frontend is used when it is allowed. */
export async function linkTo(
  ctx: Context,
  project: ProjectRow,
  reference: string,
): Promise<{ url: string; host: string }> {
  const own = URL.parse(project.frontend_endpoint)?.origin
  const isAllowed = own !== undefined && (await allowedOrigins(ctx)).includes(own)
  const origins = await linkOrigins(ctx)
  const site = isAllowed ? own : (origins.site ?? '')
  const host = origins.backend ?? site
  return { url: `${site}/payments?reference_id=${reference}&host=${host}`, host }
}
