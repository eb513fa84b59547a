import fs from 'node:fs'

/**
 * Puts this process, and all it starts, into one group of the scheduler, as a service or a container is. In a session each
 * connection of PostgreSQL is a group of its own (Linux, autogroup): what gives way then gives way to nobody. False where
 * we may not make a group.
 */
export const joinOneGroup = () =>
  ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'].some((root) => {
    const group = `${root}/balcao-bench`
    try {
      fs.mkdirSync(group, { recursive: true })
      fs.accessSync(`${group}/cpu.idle`) // groups of this kind share out processors
      fs.writeFileSync(`${group}/cgroup.procs`, String(process.pid))
      return true
    } catch {
      return false
    }
  })
