"""One function per use case. Transactions and permissions begin and end here.

Every function is plain and blocking and takes the `Service` first: ``reports.get(service, caller, 7)``. A coroutine calls it as
``await service.run(reports.get, caller, 7)``, which uses the service's own bounded threads. What can go wrong is raised as a
`findable.errors.RequestError`.
"""
