import { t } from '@lingui/core/macro'
import { Hammer } from 'lucide-react'

import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'

/** A screen of the menu that is not built yet: says what it will hold. */
export function PlannedScreen({ title, text }: { title: string; text: string }) {
  return (
    <>
      <PageHead title={title} />
      <Card flush>
        <EmptyState icon={<Hammer aria-hidden strokeWidth={1.75} />} title={t`Not built yet`} text={text} />
      </Card>
    </>
  )
}
