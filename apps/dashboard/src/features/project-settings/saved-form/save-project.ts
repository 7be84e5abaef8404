import type { Project } from '@kassa/contract/projects/schemas.ts'
import { useQueryClient } from '@tanstack/react-query'

import { projectsQuery } from '../../../api/projects.ts'
import { changeProject, projectQuery } from '../../../api/project-changes.ts'
import type { ProjectBody } from '../../../api/project-changes.ts'
import type { SaveOutcome } from './useSavedForm.ts'

/** The field a refusal belongs to, where the server names none of this form's. */
const FIELD_OF: Readonly<Record<string, string>> = {
  IMAGE_INVALID: 'logo',
  WEBHOOK_URL_NOT_ALLOWED: 'webhookEndpoint',
  ASSET_NOT_ACCEPTED: 'defaultPaymentBlockchainCurrencyID',
}

/** Returns the function that saves changes of a project and refreshes every screen that shows it; it never throws. */
export function useSaveProject(): (from: Project, changes: ProjectBody) => Promise<SaveOutcome<Project>> {
  const queryClient = useQueryClient()
  return async ({ id, updatedAt }, changes) => {
    const outcome = await changeProject(id, changes, { unmodifiedSince: updatedAt })
    if (outcome.error === undefined) {
      queryClient.setQueryData(projectQuery(String(id)).queryKey, outcome.project)
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true })
      return { saved: outcome.project }
    }
    if (outcome.error === true) return { failure: outcome.message, reason: outcome.reason }
    const { code, message, details, fields } = outcome.error
    if (code === 'EDIT_CONFLICT') return { isConflict: true }
    const field = FIELD_OF[code]
    if (field !== undefined) return { errors: { [field]: details ?? message } }
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => name in (changes ?? {})))
    return Object.keys(known).length > 0 ? { errors: known } : { failure: message }
  }
}
