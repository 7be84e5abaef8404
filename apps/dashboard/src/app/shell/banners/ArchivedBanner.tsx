import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { useMoveProject } from '../../../api/project-changes.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** What being archived means, and the way back for those who may. */
export function ArchivedBanner({ project }: { project: Pick<Project, 'id' | 'name'> }) {
  const mayRestore = useCan()('project:archive', project.id)
  const move = useMoveProject()
  const { name } = project
  const [isMoving, setMoving] = useState(false)
  const restore = async () => {
    setMoving(true)
    const failure = await failureOf(() => move(project.id, 'active'))
    setMoving(false)
    if (failure === undefined) toast.success(t`${name} is back`)
    else toast.error(failure)
  }
  const action = mayRestore && (
    <Button loading={isMoving} onClick={() => void restore()}>
      <Trans>Restore</Trans>
    </Button>
  )
  return (
    <div className="mb-4">
      <Banner tone="warning" action={action}>
        <Trans>
          {name} is archived: it takes no new payments and sends no webhooks. Money that arrives is credited.
        </Trans>
      </Banner>
    </div>
  )
}
