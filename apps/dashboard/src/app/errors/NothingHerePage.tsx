import { Trans } from '@lingui/react/macro'
import { Search } from 'lucide-react'

import { Button } from '../../ui/actions/Button.tsx'
import { askForSearch } from '../navigation/search-request.ts'
import { NothingHere } from './NothingHere.tsx'

/** An address without a page, for operators: menu and search stay around it. */
export function NothingHerePage() {
  const action = (
    <Button kind="primary" icon={<Search aria-hidden strokeWidth={1.75} />} onClick={askForSearch}>
      <Trans>Search</Trans>
    </Button>
  )
  return <NothingHere action={action} />
}
