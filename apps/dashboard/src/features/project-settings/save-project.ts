import type { Project } from '@kassa/contract/projects/schemas.ts'
import { useQueryClient } from '@tanstack/react-query'

import { changeProject, projectQuery, projectsQuery } from '../../api/projects.ts'
import type { ProjectBody } from '../../api/projects.ts'

/** The field a refusal belongs to, where the server names none of this form's. */
const FIELD_OF: Readonly<Record<string, string>> = {
  IMAGE_INVALID: 'logo',
  WEBHOOK_URL_NOT_ALLOWED: 'webhookEndpoint',
  ASSET_NOT_ACCEPTED: 'defaultPaymentBlockchainCurrencyID',
}

export type SaveOutcome = {
  readonly project?: Project
  /** Texts for fields of the form. */
  readonly errors?: Readonly<Record<string, string>>
  /** What to say beside the save button. */
  readonly failure?: string
}

/** Returns the function that saves changes of a project and refreshes every screen that shows it; it never throws. */
export function useSaveProject(): (id: number, changes: ProjectBody) => Promise<SaveOutcome> {
  const queryClient = useQueryClient()
  return async (id, changes) => {
    const saved = await changeProject(id, changes)
    if (saved.error === undefined) {
      queryClient.setQueryData(projectQuery(String(id)).queryKey, saved.project)
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true })
      return { project: saved.project }
    }
    if (saved.error === true) return { failure: saved.message }
    const { code, message, details, fields } = saved.error
    const field = FIELD_OF[code]
    if (field !== undefined) return { errors: { [field]: details ?? message } }
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => name in (changes ?? {})))
    return Object.keys(known).length > 0 ? { errors: known } : { failure: message }
  }
}
