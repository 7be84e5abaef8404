import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'

import { projectQuery } from '../../../api/project-changes.ts'
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
