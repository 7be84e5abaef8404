import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { Card } from '../../../ui/places/Card.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { projectLabel, shownValue, valuesOf } from '../saved-form/project-changes.ts'
import type { ValueName } from '../saved-form/project-changes.ts'

/** What a tab of a project holds, for those who may only read. */
export function ProjectFacts({ project, names }: { project: Project; names: readonly ValueName[] }) {
  const values = valuesOf(project)
  const rows = names
    .map((name) => ({ label: projectLabel(name), value: shownValue(name, values) }))
    .filter(({ value }) => value !== '')
  return (
    <Card title={project.name} text={t`Changing this needs project:update. Ask an administrator.`}>
      {rows.length === 0 ? (
        <p className="text-body text-muted">
          <Trans>Nothing is set here.</Trans>
        </p>
      ) : (
        <KeyValue rows={rows} />
      )}
    </Card>
  )
}
