import { Plus, Star } from 'lucide-react'

import { Button } from '../ui/actions/Button.tsx'
import { CopyButton } from '../ui/actions/CopyButton.tsx'
import { IconButton } from '../ui/actions/IconButton.tsx'
import { LinkButton } from '../ui/actions/LinkButton.tsx'
import { Menu } from '../ui/actions/Menu.tsx'
import type { MenuItem } from '../ui/actions/Menu.tsx'
import { SearchBox } from '../ui/actions/SearchBox.tsx'
import { Tabs } from '../ui/actions/Tabs.tsx'
import { TextLink } from '../ui/actions/TextLink.tsx'
import { nothing } from './specimen.ts'
import type { Part } from './specimen.ts'

const KINDS = ['primary', 'secondary', 'quiet', 'danger'] as const

const ITEMS: readonly MenuItem[] = [
  { label: 'Open', onSelect: nothing },
  { label: 'Read more', href: '#more' },
  { label: 'Chosen', checked: true, onSelect: nothing },
  { label: 'Refund', offReason: 'Nothing received yet.' },
  { label: 'Cancel link', danger: true, divided: true, onSelect: nothing },
]

export const ACTIONS: readonly Part[] = [
  {
    name: 'Button',
    specimens: [
      ...KINDS.map((kind) => ({ state: kind, shown: <Button kind={kind}>Create link</Button> })),
      {
        state: 'with an icon',
        shown: (
          <Button kind="primary" icon={<Plus aria-hidden />}>
            Add project
          </Button>
        ),
      },
      { state: 'small', shown: <Button size="small">Try again</Button> },
      { state: 'large', shown: <Button size="large">Continue</Button> },
      {
        state: 'loading: the label is hidden, clicks do nothing',
        shown: (
          <Button kind="primary" loading>
            Save changes
          </Button>
        ),
      },
      {
        state: 'disabled: says why',
        shown: (
          <Button disabled title="Choose a network first.">
            Continue
          </Button>
        ),
      },
      { state: 'wide', shown: <Button wide>Sign in</Button> },
    ],
  },
  {
    name: 'IconButton',
    specimens: [
      { state: 'rest', shown: <IconButton label="Favourite" icon={<Star aria-hidden />} /> },
      { state: 'pressed', shown: <IconButton label="Favourite, on" icon={<Star aria-hidden />} pressed /> },
    ],
  },
  {
    name: 'LinkButton',
    specimens: [
      {
        state: 'here',
        shown: (
          <LinkButton href="#here" kind="primary">
            Create payment link
          </LinkButton>
        ),
      },
      {
        state: 'new tab',
        shown: (
          <LinkButton href="#there" newTab>
            Open checkout
          </LinkButton>
        ),
      },
    ],
  },
  {
    name: 'TextLink',
    specimens: [
      { state: 'here', shown: <TextLink href="#here">See all</TextLink> },
      {
        state: 'new tab',
        shown: (
          <TextLink href="#there" newTab>
            Documentation
          </TextLink>
        ),
      },
    ],
  },
  {
    name: 'CopyButton',
    specimens: [
      { state: 'icon', shown: <CopyButton label="payment link" value="https://pay.example/1" /> },
      { state: 'with words', shown: <CopyButton label="API key" value="key" withText /> },
      { state: 'primary', shown: <CopyButton label="reference" value="0192" withText kind="primary" /> },
    ],
  },
  {
    name: 'Menu',
    specimens: [
      {
        state: 'items of every kind',
        shown: (
          <div>
            <Button popoverTarget="gallery-menu">Actions</Button>
            <Menu id="gallery-menu" label="Actions" items={ITEMS} />
          </div>
        ),
      },
    ],
  },
  {
    name: 'Tabs',
    wide: true,
    specimens: [
      {
        state: 'with a count',
        shown: (
          <Tabs
            label="A payment"
            tabs={[
              { id: 'timeline', label: 'Timeline' },
              { id: 'deposits', label: 'Deposits', count: 2 },
              { id: 'ledger', label: 'Ledger' },
            ]}
          >
            {(selected) => <p>This is {selected}.</p>}
          </Tabs>
        ),
      },
    ],
  },
  {
    name: 'SearchBox',
    specimens: [
      { state: 'empty', shown: <SearchBox label="Search payments" placeholder="E-mail, id, hash, address" /> },
    ],
  },
]
