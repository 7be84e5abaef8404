import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import type { ListedCounts, ListedFacts } from './promised-answers.ts'
import { RequestError } from './request-error.ts'
import { call } from './client.ts'

/** A project of the list, with how much it accepts. */
export type ListedProject = ListedFacts & Omit<ListedCounts, 'id'>

/** The projects the operator may see; both calls go out together and are joined by id. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }): Promise<ListedProject[]> => {
    const [projects, details]: [ListedFacts[], ListedCounts[]] = await Promise.all([
      call(projectsRoutes.listProjects, {}, { signal }),
      call(projectsRoutes.listProjectDetails, {}, { signal }),
    ]).catch(logged)
    const counts = new Map(details.map((detail) => [detail.id, detail]))
    return projects.map((project) => {
      const { networkCount = 0, currencyCount = 0, hasDepositWallet = true } = counts.get(project.id) ?? {}
      return { ...project, networkCount, currencyCount, hasDepositWallet }
    })
  },
  staleTime: 60_000,
})

/** The archived projects the operator may see, by id. */
export const archivedProjectsQuery = queryOptions({
  queryKey: ['projects', 'archived'],
  queryFn: ({ signal }) => call(projectsRoutes.listProjects, { query: { status: 'archived' } }, { signal }),
})

function logged(thrown: unknown): never {
  logProjectFailure(thrown)
  throw thrown
}

/** Writes code and request id to the console, no values. */
export function logProjectFailure(thrown: unknown): void {
  // Without a key nothing was called, and a page that was left has no use for its answer.
  if (!(thrown instanceof RequestError) || thrown.code === 'KEY_MISSING') return
  // oxlint-disable-next-line no-console -- specification §8: a failed project call is logged
  console.error('Project call failed', thrown.code, thrown.requestId ?? '')
}
