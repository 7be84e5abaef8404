import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { SPEC_TEXTS } from '../lib/text/spec-texts.ts'
import { call } from './client.ts'
import type { CallOptions } from './client.ts'
import { logProjectFailure } from './projects.ts'
import { RequestError, asRequestError } from './request-error.ts'

/** Returns the function that archives a project, or brings it back. @throws RequestError */
export function useMoveProject(): (id: number, to: Project['status']) => Promise<void> {
  const queryClient = useQueryClient()
  return async (id, to) => {
    const route = to === 'archived' ? projectsRoutes.archiveProject : projectsRoutes.restoreProject
    await call(route, { params: { p: String(id) } })
    await queryClient.invalidateQueries({ queryKey: ['projects'] })
  }
}

/** One project as the server has it now: what a form starts from. */
export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: ['projects', projectId],
    queryFn: ({ signal }) => call(projectsRoutes.getProject, { params: { p: projectId } }, { signal }),
  })
}

/** The outcome of a save: the project, or what the server said; `error: true` when nothing readable came back. */
export type SavedProject<Answer = Project> =
  | { readonly project: Answer; readonly error?: undefined }
  | { readonly error: RequestError; readonly message: string }
  | { readonly error: true; readonly message: string; readonly reason: string; readonly lacksId: boolean }

/** Fields of a project to change, as they go over the wire. */
export type ProjectBody = NonNullable<Parameters<typeof call<typeof projectsRoutes.changeProject>>[1]>['body']

/** Creates a project with only its name; never throws (specification §8). */
export function createProject(name: string, options?: CallOptions): Promise<SavedProject<{ id: number }>> {
  return saved<{ id: number }>(call(projectsRoutes.createProject, { body: { name } }, options))
}

/** Changes a project: absent fields keep, empty ones clear; never throws (specification §8). */
export function changeProject(id: number, body: ProjectBody, options?: CallOptions): Promise<SavedProject> {
  return saved(call(projectsRoutes.changeProject, { params: { p: String(id) }, body }, options))
}

async function saved<Answer>(answer: Promise<Answer>): Promise<SavedProject<Answer>> {
  try {
    return { project: await answer }
  } catch (thrown) {
    logProjectFailure(thrown)
    if (thrown instanceof RequestError && !thrown.isLost) return { error: thrown, message: thrown.message }
    const reason = asRequestError(thrown).message
    return { error: true, message: t(SPEC_TEXTS.savingFailed), reason, lacksId: lacksId(thrown) }
  }
}

/** The answer came, but it names no project. */
function lacksId(thrown: unknown): boolean {
  const paths = thrown instanceof RequestError ? thrown.data.paths : undefined
  return Array.isArray(paths) && paths.includes('id')
}
