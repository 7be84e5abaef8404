import { DEFAULT_BRAND_COLOR } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'

import { changeProject, createProject } from '../../api/project-changes.ts'
import placeholderLogo from '../../assets/placeholder-logo.png?url'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'

export type AddedProject = {
  /** The new project; absent when the server named no id. */
  readonly id?: number
  /** Why nothing was created. */
  readonly failure?: string
  /** The project exists, but its logo and colour were not saved. */
  readonly warning?: string
}

/** Creates a project in the two steps of the specification: its name, then the default colour and placeholder logo. */
export async function addProject(name: string, idempotencyKey: string): Promise<AddedProject> {
  const created = await createProject(name, { idempotencyKey })
  if (created.error === true && created.lacksId) return {}
  if (created.error !== undefined) return { failure: created.message }
  const { id } = created.project
  const logo = await placeholderFile()
  const branded = await changeProject(id, { brandColor: DEFAULT_BRAND_COLOR, ...(logo === undefined ? {} : { logo }) })
  if (branded.error === undefined && logo !== undefined) return { id }
  const reason = branded.error === undefined ? t(SPEC_TEXTS.savingFailed) : branded.message
  return { id, warning: t`${reason} The project exists; its logo and colour weren’t saved.` }
}

async function placeholderFile(): Promise<File | undefined> {
  try {
    const answer = await fetch(placeholderLogo)
    return answer.ok ? new File([await answer.blob()], 'logo.png', { type: 'image/png' }) : undefined
  } catch {
    return undefined
  }
}
