import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { paymentPolicyQuery } from '../../../api/payment-policy.ts'
import { readinessQuery } from '../../../api/payments.ts'
import { ALL_PROJECTS, lastProject } from '../../../lib/navigation/current-project.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { RecentJobs } from '../bulk-jobs/RecentJobs.tsx'
import { NotReady } from '../create/NotReady.tsx'
import { ProjectField } from '../create/ProjectField.tsx'
import { BulkFile } from './BulkFile.tsx'
import { ChooseFile } from './ChooseFile.tsx'
import type { LinkFile } from './read-csv.ts'
import { useLinkRules } from './useLinkRules.ts'

const CREATES = ['payment.create']

/** Creates many links from one CSV file: choose it, check it, create them. */
export function BulkLinks({ projectId: page }: { projectId: string }) {
  const hasChoice = page === ALL_PROJECTS
  const [projectId, setProjectId] = useState(hasChoice ? (lastProject() ?? '') : page)
  const [sheet, setSheet] = useState<LinkFile>()
  const { data: readiness } = useQuery(readinessQuery(projectId))
  const { data: policy } = useQuery(paymentPolicyQuery(projectId))
  const { rules, askRules } = useLinkRules(projectId)
  if (sheet !== undefined) {
    return (
      <BulkFile
        key={sheet.digest}
        projectId={projectId}
        sheet={sheet}
        rules={rules}
        isOnlyOne={policy?.openPaymentsPerCustomer === 'one'}
        onAnother={() => setSheet(undefined)}
      />
    )
  }
  return (
    <Card>
      <div className="flex flex-col gap-5">
        {readiness?.ready === false && <NotReady missing={readiness.missing} />}
        {hasChoice && (
          <ProjectField
            name="projectId"
            value={projectId}
            error={undefined}
            onChange={setProjectId}
            onBlur={() => undefined}
          />
        )}
        <ChooseFile
          askRules={askRules}
          refusal={projectId === '' ? t`Choose a project first.` : undefined}
          onFile={setSheet}
        />
        <RecentJobs projectId={projectId} label={t`Recent files`} actions={CREATES} />
      </div>
    </Card>
  )
}
