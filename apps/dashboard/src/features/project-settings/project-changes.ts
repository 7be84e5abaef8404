import { ProjectChange } from '@kassa/contract/projects/schemas.ts'
import type { Project } from '@kassa/contract/projects/schemas.ts'

import type { ProjectBody } from '../../api/projects.ts'
import { fieldErrors } from '../../lib/field-errors.ts'

const TEXTS = [
  'name',
  'website',
  'supportEmail',
  'successEndpoint',
  'cancelEndpoint',
  'frontendEndpoint',
  'webhookEndpoint',
  'twitterURL',
  'discordURL',
  'linkedInURL',
  'telegramURL',
  'brandColor',
  'logoPath',
] as const

const CHOICES = ['defaultPaymentBlockchainID', 'defaultPaymentBlockchainCurrencyID'] as const

export type ProjectValues = Readonly<Record<(typeof TEXTS)[number] | (typeof CHOICES)[number], string>> & {
  /** A new logo that is not saved yet. */
  readonly logo: File | undefined
}

/** Returns the form's values of a project; an id that is not set is empty text. */
export function valuesOf(project: Project): ProjectValues {
  const choice = (id: number | null) => (id === null ? '' : String(id))
  return {
    ...(Object.fromEntries(TEXTS.map((name) => [name, project[name]])) as Record<(typeof TEXTS)[number], string>),
    defaultPaymentBlockchainID: choice(project.defaultPaymentBlockchainID),
    defaultPaymentBlockchainCurrencyID: choice(project.defaultPaymentBlockchainCurrencyID),
    logo: undefined,
  }
}

/** Returns what differs from the project: a field that was emptied clears, one that was left alone is not sent. */
export function changesOf(project: Project, values: ProjectValues): ProjectBody {
  const before = valuesOf(project)
  const texts = TEXTS.filter((name) => values[name].trim() !== before[name])
  const choices = CHOICES.filter((name) => values[name] !== before[name])
  const changed: Record<string, string | number | null> = {}
  for (const name of texts) changed[name] = values[name].trim()
  for (const name of choices) changed[name] = values[name] === '' ? null : Number(values[name])
  if (values.logo === undefined) return changed
  // The path of the logo follows from the file.
  delete changed.logoPath
  return { ...changed, logo: values.logo }
}

/** Returns the text of every changed field that the server would refuse. */
export function changeErrors(changes: ProjectBody): Record<string, string> {
  return fieldErrors(ProjectChange, changes)
}
