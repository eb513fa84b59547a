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
    // Without a network a press is refused at once: nobody expects it to be done minutes later.
    mutations: { retry: false, networkMode: 'always' },
  },
})

renewOvertaken(queryClient)
