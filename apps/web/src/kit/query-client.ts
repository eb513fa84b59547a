import { QueryClient } from '@tanstack/react-query'
import { isUnanswered } from './api-error.ts'
import { renewOvertaken } from './overtaken.ts'

/** Answers stay fresh for 30 s (events renew them sooner); only a failure of the way is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < 2 && isUnanswered(error),
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

renewOvertaken(queryClient)
