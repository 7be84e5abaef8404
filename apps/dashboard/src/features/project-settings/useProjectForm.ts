import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'

import { projectQuery } from '../../api/projects.ts'
import type { FieldProps } from '../../lib/form.ts'
import { withScheme } from '../../lib/web-address.ts'
import { changedNames, changeErrors, changesOf, valuesOf } from './project-changes.ts'
import type { ProjectValues } from './project-changes.ts'
import { useSaveProject } from './save-project.ts'
import { useSavedForm } from './useSavedForm.ts'
import type { SavedForm } from './useSavedForm.ts'

/** A form over values of a project; each tab shows its own. */
export function useProjectForm(project: Project): SavedForm<ProjectValues> {
  const save = useSaveProject()
  const queryClient = useQueryClient()
  return useSavedForm<Project, ProjectValues>({
    start: project,
    valuesOf,
    changed: changedNames,
    validate: (saved, values) => changeErrors(changesOf(saved, values)),
    save: (from, values) => save(from, changesOf(from, values)),
    reload: () => queryClient.query({ ...projectQuery(String(project.id)), staleTime: 0 }),
    done: t`Changes saved`,
  })
}

/** What the fields for an address have in common. */
export function addressField<Field extends object>(field: Field) {
  return { ...field, type: 'url', inputMode: 'url', placeholder: 'https://' } as const
}

/** An address that people know by its name alone: `acme.com` is completed when the field is left or sent with Enter. */
export function siteField(field: FieldProps<string>) {
  const complete = () => {
    const address = withScheme(field.value)
    if (address !== field.value) field.onChange(address)
    return address !== field.value
  }
  return {
    ...addressField(field),
    // What was completed is valid; the form would still check what stood there before.
    onBlur: () => complete() || field.onBlur(),
    onKeyDown: ({ key }: { readonly key: string }) => key === 'Enter' && complete(),
  }
}
