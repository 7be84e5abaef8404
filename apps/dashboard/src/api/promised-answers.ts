/**
 * What the specification promises of the answers it names (product.md 3 and 7). The dashboard reads these and no more of them,
 * so that it works with every server that keeps the promise; what an answer leaves out has a value here.
 */
import { id, int } from '@kassa/contract/kit/codecs.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { DEFAULT_BRAND_COLOR } from '@kassa/contract/projects/schemas.ts'
import * as z from 'zod/mini'
import { catch as orElse } from 'zod/mini'

/** A project of the list. */
const ListedFacts = z.object({
  id,
  name: z.string(),
  logoPath: orElse(z.string(), ''),
  brandColor: orElse(z.string(), DEFAULT_BRAND_COLOR),
  defaultPaymentBlockchainCurrencyID: orElse(z.nullable(int), null),
  supportEmail: orElse(z.string(), ''),
})
export type ListedFacts = z.output<typeof ListedFacts>

/** A project of the details call. */
const ListedCounts = z.object({
  id,
  networkCount: orElse(int, 0),
  currencyCount: orElse(int, 0),
  /** Not promised: a server that does not say it is believed to have one. */
  hasDepositWallet: orElse(z.boolean(), true),
})
export type ListedCounts = z.output<typeof ListedCounts>

/** The routes whose answers are read so, with the shape that is read. */
export const PROMISED_ANSWERS = [
  { route: projectsRoutes.listProjects, shape: z.array(ListedFacts) },
  { route: projectsRoutes.listProjectDetails, shape: z.array(ListedCounts) },
  { route: projectsRoutes.createProject, shape: z.object({ id }) },
] as const
