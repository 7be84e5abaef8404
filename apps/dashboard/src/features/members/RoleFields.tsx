import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import { meQuery, useCan } from '../../api/me.ts'
import { projectsQuery } from '../../api/projects.ts'
import { rolesQuery } from '../../api/roles.ts'
import type { RoleChoice } from '../../api/members.ts'
import type { FieldErrors } from '../../lib/forms/form.ts'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import type { SelectOption } from '../../ui/fields/Select.tsx'
import { roleDescription, roleTitle } from '../../labels/people/role-words.ts'
import { mayGrantRole, ROOT_ROLE } from './who-may.ts'

/** What a role's part of a form holds. */
export type RoleValues = {
  /** The role's id, or empty. */
  readonly role: string
  readonly place: 'install' | 'project'
  readonly projects: readonly string[]
}

/** Where a role may be held; one that is not known yet, in projects. */
function placesOf(role: string, roles: readonly Role[]): readonly ('install' | 'project')[] {
  if (role === String(ROOT_ROLE)) return ['install']
  return roles.find(({ id }) => String(id) === role)?.places ?? ['project']
}

/** Where the role is to be held: as chosen where there is a choice. */
export function placeOf({ role, place }: RoleValues, roles: readonly Role[]): 'install' | 'project' {
  const places = placesOf(role, roles)
  return places.includes(place) ? place : (places[0] ?? 'project')
}

/** Returns what of the role's part must be filled in. */
export function roleErrors(values: RoleValues, roles: readonly Role[]): FieldErrors<RoleValues> {
  if (values.role === '') return { role: t`Role is required` }
  const isMissing = placeOf(values, roles) === 'project' && values.projects.length === 0
  return isMissing ? { projects: t`Choose at least one project.` } : {}
}

/** What goes over the wire. */
export function roleChoice(values: RoleValues, roles: readonly Role[]): RoleChoice {
  const isProject = placeOf(values, roles) === 'project'
  return { roleID: Number(values.role), ...(isProject && { projectIDs: values.projects.map(Number) }) }
}

/** The roles the operator may give, where they may give them. */
export function useGivable() {
  const { data: me } = useQuery(meQuery)
  const can = useCan()
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: can('role:read') })
  const { data: projects = [] } = useQuery(projectsQuery)
  const known = { me, roles }
  const mayInInstall = (roleID: number) => mayGrantRole({ roleID, externalPlatformID: null }, known)
  const projectsFor = (roleID: number) =>
    projects.filter(({ id }) => mayGrantRole({ roleID, externalPlatformID: id }, known))
  const isGivable = ({ id, places }: Role) =>
    (places.includes('install') && mayInInstall(id)) || (places.includes('project') && projectsFor(id).length > 0)
  const options: SelectOption[] = [
    ...roles.filter(isGivable).map((role) => ({ value: String(role.id), label: roleTitle(role) })),
    ...(mayInInstall(ROOT_ROLE) ? [{ value: String(ROOT_ROLE), label: 'Root' }] : []),
  ]
  /** A choice without the projects that the form does not show, such as archived ones: nobody could take them out of it. */
  const shownOf = <Values extends RoleValues>(values: Values): Values => {
    const shown = new Set(projectsFor(Number(values.role)).map(({ id }) => String(id)))
    return { ...values, projects: values.projects.filter((id) => shown.has(id)) }
  }
  return { roles, projects, options, projectsFor, mayInInstall, shownOf }
}

export type RoleFieldsProps = {
  readonly values: RoleValues
  readonly errors: FieldErrors<RoleValues>
  readonly onChange: (patch: Partial<RoleValues>) => void
}

/** Which role, and where: in the whole install, or in the projects that are ticked. */
export function RoleFields({ values, errors, onChange }: RoleFieldsProps) {
  const { roles, options, projectsFor, mayInInstall } = useGivable()
  const chosen = roles.find(({ id }) => String(id) === values.role)
  const places = placesOf(values.role, roles)
  const hasChoice = places.length > 1 && mayInInstall(Number(values.role))
  const place = placeOf(values, roles)
  return (
    <>
      <Select
        label={t`Role`}
        name="role"
        value={values.role}
        options={[{ value: '', label: t`Choose a role` }, ...options]}
        error={errors.role}
        isRequired
        hint={chosen && roleDescription(chosen)}
        onChange={(role) => onChange({ role })}
      />
      {hasChoice && (
        <RadioGroup
          legend={t`Held in`}
          value={place}
          options={[
            { value: 'install', label: t`The whole install` },
            { value: 'project', label: t`Single projects` },
          ]}
          onChange={(next) => onChange({ place: next === 'install' ? 'install' : 'project' })}
        />
      )}
      {values.role !== '' && place === 'project' && (
        <ProjectChoice
          projects={projectsFor(Number(values.role))}
          chosen={values.projects}
          error={errors.projects}
          onChange={(projects) => onChange({ projects })}
        />
      )}
    </>
  )
}

type ProjectChoiceProps = {
  readonly projects: readonly { readonly id: number; readonly name: string }[]
  readonly chosen: readonly string[]
  readonly error: string | undefined
  readonly onChange: (chosen: readonly string[]) => void
}

function ProjectChoice({ projects, chosen, error, onChange }: ProjectChoiceProps) {
  const errorId = useId()
  const tick = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="mb-1 text-body font-medium">
        <Trans>Projects</Trans>
      </legend>
      {projects.map(({ id, name }) => (
        <Checkbox
          key={id}
          name="projects"
          label={name}
          checked={chosen.includes(String(id))}
          onChange={(isChosen) => tick(String(id), isChosen)}
        />
      ))}
      {error !== undefined && (
        <p id={errorId} role="alert" className="mt-1 text-dense text-danger-text">
          {error}
        </p>
      )}
    </fieldset>
  )
}
