import { endSession } from './api.ts'

let isOwn = false

/** Does what ends all sessions of the person, this one too: they know, and are told nothing of an end. */
export const endingSessions = async (work: () => Promise<void>) => {
  isOwn = true
  try {
    await work()
    endSession()
  } finally {
    isOwn = false
  }
}

/** Whether the person is just now ending the sessions by their own hand. */
export const isOwnEnd = () => isOwn
