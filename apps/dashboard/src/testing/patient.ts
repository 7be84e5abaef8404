/** Imported by tests of screens: drawing takes seconds while everything else on a small machine runs too. */
import { configure } from '@testing-library/react'

configure({ asyncUtilTimeout: 15_000 })
