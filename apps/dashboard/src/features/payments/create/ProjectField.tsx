import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import type { FieldProps } from '../../../lib/forms/form.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'
import { Select } from '../../../ui/fields/Select.tsx'

/** The project that asks for the money; needed where the page covers all of them. */
export function ProjectField(field: FieldProps<string>) {
  const { data: projects, isError } = useQuery(projectsQuery)
  const can = useCan()
  const own = projects?.filter(({ id }) => can('payment:create', id)) ?? []
  const options = own.map(({ id, name }) => ({ value: String(id), label: name }))
  const isKnown = options.some(({ value }) => value === field.value)
  return (
    <Select
      {...field}
      label={t`Project`}
      value={isKnown ? field.value : ''}
      options={[{ value: '', label: projects === undefined ? t`Loading…` : t`Choose a project` }, ...options]}
      error={field.error ?? (isError && projects === undefined ? t(SPEC_TEXTS.projectsFailed) : undefined)}
    />
  )
}
