/* SPDX-License-Identifier: MIT */
/* Every unit of small boards, as results/vectors.json has them. Without an argument, the
 * program prints that file, as the slowest kernel of each method counts. With the file's name
 * as its argument, it compares the file with what every method and kernel counts, and writes
 * TAP. test_vectors.py checks the file by brute force. */
#include "kernels.h"
#include "methods/methods.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 14 };

static void print_board(FILE *out, const struct method *method, int n,
                        const struct kernel *kernel) {
    struct partition *partition = method->partition(n);
    struct solver *solver;
    EXPECT(kernel->solver(partition, kernel, NULL, NULL, &solver, NULL) == NQ_OK, "n = %d", n);
    void *workspace = solver->call->workspace_new(solver);
    fprintf(out, "%s\n\"%d\": [", n > 0 ? "," : "", n);
    for (uint64_t id = 0; id < partition->job.units; id++) {
        struct unit_result result;
        EXPECT(solver_solve(solver, workspace, id, NULL, &result) == NQ_OK &&
                   partition->units[id].cost > 0,
               "n = %d, unit %" PRIu64, n, id);
        fprintf(out, "%s\n [%" PRIu64 ", %" PRIu32 ", %" PRIu64 ", %" PRIu64 ", [",
                id > 0 ? "," : "", id, partition->units[id].weight, result.solutions,
                result.work);
        method->describe_unit(partition, id, out);
        fprintf(out, "]]");
    }
    fprintf(out, "\n]");
    solver->call->workspace_free(workspace);
    solver_close(solver);
    partition_close(partition);
}

/* Prints the part of the file about a method. */
static void print_method(FILE *out, const struct method *method, const struct kernel *kernel) {
    fprintf(out, "\"%s\": {", method->name);
    for (int n = 0; n <= LARGEST && n <= method->max_burn_in_n; n++)
        print_board(out, method, n, kernel);
    fprintf(out, "\n}");
}

/* Compares the part of the file about a method with what this kernel counts. */
static void compare(const char *file, const struct method *method,
                    const struct kernel *kernel) {
    char *printed, name[64];
    size_t size;
    FILE *out = open_memstream(&printed, &size);
    print_method(out, method, kernel);
    fclose(out);
    snprintf(name, sizeof name, "\"%s\"", method->name);
    const char *found = strstr(file, name), *line = printed;
    EXPECT(found != NULL, "the file lacks %s", name);
    for (const char *at = printed; found != NULL && *at != '\0'; at++, found++) {
        EXPECT(*at == *found, "counted: %.*s", (int)strcspn(line, "\n"), line);
        if (*at != *found)
            break;
        if (*at == '\n')
            line = at + 1;
    }
    snprintf(name, sizeof name, "%s with %s counts as the vectors say", method->name,
             kernel->name);
    end_case(name);
    free(printed);
}

/* Methods must differ in the names of their work, too, because these names are keys of JSON and
 * titles of CSV. */
static void compare_names(void) {
    const struct method *method, *other;
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++)
        for (size_t o = 0; o < m && (other = nqi_method_at(o)) != NULL; o++)
            EXPECT(strcmp(method->name, other->name) != 0 &&
                       strcmp(method->work, other->work) != 0,
                   "%s and %s", method->name, other->name);
    end_case("no two methods have one name, or one name for their work");
}

int main(int count, char **argument) {
    static char file[1 << 20];
    FILE *in = count > 1 ? fopen(argument[1], "r") : NULL;
    const struct method *method;
    if (in != NULL) {
        file[fread(file, 1, sizeof file - 1, in)] = '\0';
        fclose(in);
    }
    if (count == 1)
        printf("{\n\"about\": \"docs/algorithm.md: To check another implementation\"");
    for (size_t m = 0; (method = nqi_method_at(m)) != NULL; m++)
        if (count == 1) {
            printf(",\n");
            print_method(stdout, method, method->kernels[0]);
        } else
            for (const struct kernel *kernel = NULL;
                 (kernel = kernel_after(method->kernels, kernel)) != NULL;)
                compare(file, method, kernel);
    if (count > 1) {
        compare_names();
        return end_cases();
    }
    printf("\n}\n");
    return 0;
}
