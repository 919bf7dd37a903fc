/* Runs a command on a system that fails: faulty_system CLASS AT once|lasting COUNT COMMAND...
 *
 * The AT-th system call of the class fails, counted over all threads and processes of the
 * command from its start, the dynamic loader's calls among them; "lasting": all after it, too.
 * The file COUNT gets the number of these calls. Writes to stderr do not fail: what cannot be
 * said cannot be tested. Ends as the command does.
 *
 * The command runs under a filter that passes the calls on to this process
 * (seccomp_unotify(2)): a library in between would not see the calls that the C library makes
 * itself. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_START = 125, MOST_CALLS = 8 };

static const struct fault {
    const char *name;
    int error;
    int calls[MOST_CALLS]; /* ended by -1 */
} faults[] = {
    {"write", ENOSPC, {SYS_write, SYS_writev, SYS_pwrite64, SYS_ftruncate, -1}},
#ifdef SYS_open
    {"open", EMFILE, {SYS_open, SYS_openat, SYS_memfd_create, SYS_pipe2, -1}},
#else
    {"open", EMFILE, {SYS_openat, SYS_memfd_create, SYS_pipe2, -1}},
#endif
    {"read", EIO, {SYS_read, SYS_pread64, -1}},
    {"sync", EIO, {SYS_fsync, SYS_fdatasync, -1}},
#ifdef SYS_rename
    {"rename", EIO, {SYS_rename, SYS_renameat, SYS_renameat2, -1}},
    {"unlink", EIO, {SYS_unlink, SYS_unlinkat, -1}},
#else
    {"rename", EIO, {SYS_renameat2, -1}},
    {"unlink", EIO, {SYS_unlinkat, -1}},
#endif
    {"map", ENOMEM, {SYS_mmap, SYS_mremap, -1}},
    {"thread", EAGAIN, {SYS_clone, SYS_clone3, -1}},
};

__attribute__((noreturn)) static void give_up(const char *what) {
    fprintf(stderr, "faulty_system: %s: %s\n", what, strerror(errno));
    exit(CANNOT_START);
}

/* Filters this process. Returns the file that its calls are announced on. */
static int filter_calls(const struct fault *fault) {
    struct sock_filter code[2 * MOST_CALLS + 8];
    unsigned short length = 0;
    const struct sock_filter load =
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    const struct sock_filter announce = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[length++] = load;
    for (int i = 0; fault->calls[i] >= 0; i++) {
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                      (unsigned)fault->calls[i], 0, 1);
        code[length++] = announce;
    }
    code[length++] = allow;
    struct sock_fprog program = {.len = length, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        give_up("prctl");
    int file = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                            SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (file < 0)
        give_up("seccomp");
    return file;
}

/* A message with room for one file. */
struct parcel {
    struct msghdr message;
    struct iovec part;
    char byte;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

static void make_parcel(struct parcel *parcel) {
    *parcel = (struct parcel){.part = {&parcel->byte, 1}};
    parcel->message = (struct msghdr){.msg_iov = &parcel->part,
                                      .msg_iovlen = 1,
                                      .msg_control = parcel->control,
                                      .msg_controllen = sizeof parcel->control};
}

static void send_file(int socket, int file) {
    struct parcel parcel;
    make_parcel(&parcel);
    struct cmsghdr *header = CMSG_FIRSTHDR(&parcel.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    if (sendmsg(socket, &parcel.message, 0) != 1)
        give_up("sendmsg");
}

static int receive_file(int socket) {
    struct parcel parcel;
    int file;
    make_parcel(&parcel);
    if (recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC) != 1)
        return -1; /* the other end has said why */
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&parcel.message)), sizeof file);
    return file;
}

static bool is_message(const struct seccomp_notif *call) {
    return (call->data.nr == SYS_write || call->data.nr == SYS_writev) &&
           call->data.args[0] == STDERR_FILENO;
}

/* Answers all calls until no process is left that makes them. Returns their number. */
static unsigned long answer(int file, const struct fault *fault, unsigned long at,
                            bool lasting) {
    unsigned long calls = 0;
    for (;;) {
        struct pollfd event = {.fd = file, .events = POLLIN};
        if (poll(&event, 1, -1) < 0 && errno != EINTR)
            give_up("poll");
        if ((event.revents & POLLIN) == 0 && (event.revents & POLLHUP) != 0)
            return calls;
        struct seccomp_notif call = {0};
        if ((event.revents & POLLIN) == 0 || ioctl(file, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
            continue; /* a signal came, or ended the caller */
        calls += !is_message(&call);
        bool fails = at > 0 && !is_message(&call) && (calls == at || (lasting && calls > at));
        struct seccomp_notif_resp response = {.id = call.id,
                                              .error = fails ? -fault->error : 0,
                                              .flags =
                                                  fails ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE};
        ioctl(file, SECCOMP_IOCTL_NOTIF_SEND, &response); /* fails if the caller is gone */
    }
}

static void write_count(const char *name, unsigned long calls) {
    FILE *stream = fopen(name, "w");
    if (stream == NULL || fprintf(stream, "%lu\n", calls) < 0 || fclose(stream) != 0)
        give_up(name);
}

static const struct fault *fault_called(const char *name) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strcmp(name, faults[i].name) == 0)
            return &faults[i];
    errno = EINVAL;
    give_up(name);
}

int main(int argc, char **argv) {
    int ends[2], status = 0;
    const struct rlimit no_core = {0};
    if (argc < 6 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        give_up("socketpair");
    const struct fault *fault = fault_called(argv[1]);
    setrlimit(RLIMIT_CORE, &no_core);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int file = filter_calls(fault);
        send_file(ends[1], file);
        close(file);
        execv(argv[5], argv + 5);
        give_up(argv[5]);
    }
    close(ends[1]);
    int file = child > 0 ? receive_file(ends[0]) : -1;
    if (file >= 0)
        write_count(argv[4],
                    answer(file, fault, strtoul(argv[2], NULL, 10), argv[3][0] == 'l'));
    if (waitpid(child, &status, 0) != child)
        give_up("fork");
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        kill(getpid(), WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}
