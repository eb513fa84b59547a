import { useMatches } from 'react-router'
import type { Screen } from '../screens.ts'

/** The row of the screen that the address leads to; none on an unknown address. */
export const useCurrentScreen = (): Screen | undefined =>
  useMatches()
    .map((match) => match.handle as Screen | undefined) // only screen routes carry a handle
    .find(Boolean)
